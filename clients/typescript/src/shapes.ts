import type { OtherEvent, paths, webhooks } from "./schema.js";

export type Method = "get" | "post" | "put" | "patch" | "delete";
/** The paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];
type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : undefined;
/** The body of an operation's request. */
export type BodyOf<O> = O extends { requestBody?: infer R } ? Json<NonNullable<R>> : undefined;
/** The body of an operation's response. */
export type ResponseOf<O, Status = 200 | 201 | 202 | 204> = O extends { responses: infer R }
  ? { [S in keyof R & Status]: Json<R[S]> }[keyof R & Status] : never;
/** The options of every call. */
export interface RequestOptions {
  headers?: Record<string, string> | undefined;
  /** The Idempotency-Key, which is the same for all attempts. By default, each call has a new key. */
  key?: string | undefined;
  /** A signal that ends the call. The call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Repeat the request until the service responds, no matter how long it takes. */
  endless?: boolean | undefined;
}
/** The arguments of a call of an operation: its `path`, `query` and `body`, and the options. */
export type CallOf<O> = (O extends { parameters: infer X } ? Pick<X, keyof X & ("path" | "query")> : object) &
  (O extends { requestBody: object } ? { body: BodyOf<O> } : { body?: BodyOf<O> | undefined }) &
  RequestOptions;

/** A game as you may see it. */
export type GameView = ResponseOf<paths["/v1/games/{game_id}"]["get"], 200>;
export type Move = GameView["moves"][number];
export type Commit = ResponseOf<paths["/v1/games/{game_id}/events"]["get"], 200>["commits"][number];
/** Something that happened. An event is an `OtherEvent` if a later release has added its type. */
export type Event = Commit["events"][number];
/** A commit of any of your games, with the `game`, and with the cursor of the commit as `id`. */
export type FeedCommit = ResponseOf<paths["/v1/me/events"]["get"], 200>["commits"][number];
type Feed = ResponseOf<paths["/v1/me/events"]["get"], 200>;
/** A commit of any of your games, a message at one of your tables, or a notice about an invitation. */
export type FeedItem = FeedCommit | NonNullable<Feed["messages"]>[number] | NonNullable<Feed["invitations"]>[number];
export type Message = ResponseOf<paths["/v1/games/{game_id}/talk"]["post"], 201>;
export type Opening = BodyOf<paths["/v1/games"]["post"]>;
export type Registered = ResponseOf<paths["/v1/players"]["post"], 201>;
/** The payloads of webhooks, by type. */
export type Payloads = { [T in keyof webhooks]: BodyOf<webhooks[T]["post"]> };
/** The payload of a webhook. The last branch is for types that a later release has added. */
export type Payload = Payloads[keyof Payloads] | { type: OtherEvent["type"]; data: { [member: string]: unknown } };
