/** Any error of this library. */
export class ClientError extends Error {
  override readonly name: string = this.constructor.name;
  /** Whether the same request may succeed later. */
  temporary = false;
}
/** No response arrived, or only a part of a response. `cause` says why. */
export class ConnectionFailed extends ClientError {
  override temporary = true;
}
/** The response did not come from a Condottiere service. */
export class UnexpectedResponse extends ClientError {}
/** A webhook delivery is not signed with one of your secrets, or is too old. */
export class InvalidDelivery extends ClientError {}

/** The service refused a request. docs/errors.md lists the codes. Later releases may add codes. */
export class Problem extends ClientError {
  /** The kind of problem, or undefined if a proxy responded instead of the service. */
  readonly code: string | undefined;
  readonly detail: string | undefined;
  /** The id of the request, which is also in the server's log. */
  readonly request: string | undefined;
  /** The edition, and the clause of its rules that forbids the move. */
  readonly edition: string | undefined;
  readonly clause: string | undefined;

  /** `body` is the body of the response, and `retryAfter` is in ms. */
  constructor(readonly status: number, readonly body: Record<string, unknown>, readonly retryAfter?: number) {
    const text = (name: string) => (typeof body[name] === "string" ? body[name] : undefined);
    const [code, detail, ...others] = ["code", "detail", "request", "edition", "clause"].map(text);
    // Control characters are removed from the message, because a terminal could obey them.
    super(`${status} ${code ?? ""}: ${detail ?? ""}`.replace(/\p{C}/gu, "?"));
    [this.code, this.detail, this.request, this.edition, this.clause] = [code, detail, ...others];
    const lasts = ["corrupt-log", "corrupt-data", "unknown-format", "loop-detected"].includes(this.code ?? "");
    this.temporary = status === 408 || status === 429 || (status >= 500 && !lasts);
  }
}
/** 401: the token is missing, unknown or expired. */
export class Unauthorized extends Problem {}
/** 404: there is no such game, player, webhook or other resource. */
export class NotFound extends Problem {}
/** 409: the rules, or the state of the game, forbid the request. If a rule forbids it, `clause` names the rule. */
export class Refused extends Problem {}
/** 409 `not-your-turn`. */
export class NotYourTurn extends Refused {}
/** 412: the game or your orders have changed since the version that you saw. */
export class StaleVersion extends Problem {}
/** 429: you have sent too many requests. */
export class RateLimited extends Problem {}

const KINDS = new Map([[401, Unauthorized], [404, NotFound], [409, Refused], [412, StaleVersion], [429, RateLimited]]);

/** @internal */
export function problem(status: number, body: Record<string, unknown>, retryAfter?: number): Problem {
  return new (body.code === "not-your-turn" ? NotYourTurn : (KINDS.get(status) ?? Problem))(status, body, retryAfter);
}
