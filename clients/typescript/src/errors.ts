/** Any error of this library. */
export class ClientError extends Error {
  override readonly name: string = this.constructor.name;
  /** Whether the same request may succeed later. */
  temporary = false;
}
/** No response arrived, or only a part of one; `cause` says why. */
export class ConnectionFailed extends ClientError {
  override temporary = true;
}
/** The response is not one that a Condottiere service sends. */
export class UnexpectedResponse extends ClientError {}
/** A webhook delivery is not signed with one of your secrets, or is too old. */
export class InvalidDelivery extends ClientError {}

/** The service refused a request. docs/errors.md lists the codes; be ready for codes that you do not know. */
export class Problem extends ClientError {
  /** The kind of problem; undefined if a proxy answered in place of the service. */
  readonly code: string | undefined;
  readonly detail: string | undefined;
  /** The id of the request, which the server's log names. */
  readonly request: string | undefined;
  /** The edition, and the clause of its rules that forbids the move. */
  readonly edition: string | undefined;
  readonly clause: string | undefined;

  /** `body` is the whole problem; `retryAfter` is in ms. */
  constructor(readonly status: number, readonly body: Record<string, unknown>, readonly retryAfter?: number) {
    const text = (name: string) => (typeof body[name] === "string" ? body[name] : undefined);
    const [code, detail, ...others] = ["code", "detail", "request", "edition", "clause"].map(text);
    // What a terminal could obey is not part of the message.
    super(`${status} ${code ?? ""}: ${detail ?? ""}`.replace(/\p{C}/gu, "?"));
    [this.code, this.detail, this.request, this.edition, this.clause] = [code, detail, ...others];
    const lasts = ["corrupt-log", "corrupt-data", "unknown-format", "loop-detected"].includes(this.code ?? "");
    this.temporary = status === 408 || status === 429 || (status >= 500 && !lasts);
  }
}
/** 401: the token is missing, unknown or expired. */
export class Unauthorized extends Problem {}
/** 404: there is no such game, player, webhook and so on. */
export class NotFound extends Problem {}
/** 409: the rules, or the state of the game, forbid this. `clause` names the clause of the rules if there is one. */
export class Refused extends Problem {}
/** 409 `not-your-turn`. */
export class NotYourTurn extends Refused {}
/** 412: what you saw has changed since then. */
export class StaleVersion extends Problem {}
/** 429: you have sent too many requests. */
export class RateLimited extends Problem {}

const KINDS = new Map([[401, Unauthorized], [404, NotFound], [409, Refused], [412, StaleVersion], [429, RateLimited]]);

/** @internal */
export function problem(status: number, body: Record<string, unknown>, retryAfter?: number): Problem {
  return new (body.code === "not-your-turn" ? NotYourTurn : (KINDS.get(status) ?? Problem))(status, body, retryAfter);
}
