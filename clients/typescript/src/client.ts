import { Problem } from "./errors.js";
import type { paths } from "./schema.js";
import type { BodyOf, CallOf, Commit, FeedCommit, FeedItem, GameView, Message, Method, Move } from "./shapes.js";
import type { Opening, PathOf, Registered, RequestOptions, ResponseOf } from "./shapes.js";
import { type Options, Transport } from "./transport.js";

/** Seconds that a long poll waits. */
const WAIT = 25;
/** The problem codes for a move whose turn is over: the move has already been made, or can no longer be made. */
const IS_OVER = /^(stale-version|not-(your-turn|seated)|seat-with-bot|already-resigned|game-(paused|over|cancelled))$/;
/** The problem codes for a game that the service cannot show, now or later. */
const IS_UNREADABLE = /^(unknown-(game|format)|corrupt-(log|data)|loop-detected)$/;

type Stop = Pick<RequestOptions, "signal">;
/** `code` is the operator's code, if the service requires one to register. */
export type Registering = Options & Pick<RequestOptions, "key" | "signal"> & { code?: string | undefined };

/** A client of one service, for one player or, without a token, for a spectator. */
export class Client extends Transport {
  /** The player that `register` created, with the token and the recovery code. `console.log` does not show it. */
  declare readonly player: Registered | undefined;

  /** Register a player. If you choose a `key` of at least 22 random characters, you can repeat a lost registration. */
  static async register(url: string, name: string, options: Registering = {}): Promise<Client> {
    const call = { body: { name, code: options.code }, key: options.key, signal: options.signal };
    const player = await new Client(url, undefined, options).request("post", "/v1/players", call);
    return Object.defineProperty(new Client(url, player.token, options), "player", { value: player });
  }

  /** Send any request of the API, and return the body of the response. */
  async request<M extends Method, P extends PathOf<M>>(
    method: M, path: P, ...[call]: object extends CallOf<paths[P][M]> ? [CallOf<paths[P][M]>?] : [CallOf<paths[P][M]>]
  ): Promise<ResponseOf<paths[P][M]>> {
    return (await this.json(method, path, { ...call })) as ResponseOf<paths[P][M]>;
  }

  async openGame(opening: Opening, options: RequestOptions = {}): Promise<Game> {
    return this.game((await this.request("post", "/v1/games", { ...options, body: opening })).id);
  }

  game(id: string): Game {
    return new Game(this, id);
  }

  /** Yield each turn that is waiting for you, in all your games, without end. A turn that you do not play is yielded
   *  again. A game that the service cannot read is skipped, and `onError` (default: `console.warn`) gets the problem. */
  async *turns({ signal, onError = warn }: Stop & { onError?: typeof warn } = {}): AsyncGenerator<Turn, void, undefined> {
    for (let query = {}, endless = false; ; endless = true) {
      const inbox = await this.request("get", "/v1/me/turns", { query, signal, endless });
      query = { after: inbox.next, wait: WAIT };
      for (const { game } of inbox.turns) {
        const found = this.game(game).get({ signal, endless: true });
        const view = await found.catch((error) => void onError(only(IS_UNREADABLE, error), game));
        if (view && view.moves.length > 0) yield new Turn(this.game(game), view, signal);
      }
    }
  }

  /** Yield the commits of all your games without end: from the first commit, after a cursor, or after "now". */
  async *events({ after, signal }: Stop & { after?: string } = {}): AsyncGenerator<FeedCommit, void, undefined> {
    const path = "/v1/me/events";
    // If a stream that begins "now" broke before its first commit, the next stream would begin at a later "now".
    if (after === "now") after = (await this.request("get", path, { query: { after }, signal })).next;
    yield* this.stream(`${path}/stream`, { query: { after }, signal }) as AsyncGenerator<FeedCommit, void>;
  }

  /** Yield everything that `events` yields, and also messages at your tables (with the member `message`) and notices
   *  about invitations (with the member `invitation`). */
  async *news({ after, signal }: Stop & { after?: string } = {}): AsyncGenerator<FeedItem, void, undefined> {
    const path = "/v1/me/events", extras = { talk: "true", invitations: "true" } as const;
    if (after === "now") after = (await this.request("get", path, { query: { after, ...extras }, signal })).next;
    yield* this.stream(`${path}/stream`, { query: { after, ...extras }, signal }) as AsyncGenerator<FeedItem, void>;
  }
}

export class Game {
  constructor(readonly client: Client, readonly id: string) {}

  get(options: RequestOptions = {}): Promise<GameView> {
    return this.client.request("get", "/v1/games/{game_id}", { ...options, path: { game_id: this.id } });
  }

  join(body: BodyOf<paths["/v1/games/{game_id}/join"]["post"]> = {}, options: RequestOptions = {}): Promise<GameView> {
    return this.client.request("post", "/v1/games/{game_id}/join", { ...options, path: { game_id: this.id }, body });
  }

  /** Write a message to the whole table, or privately to some seats. */
  say(text: string, seats: number[] = [], options: RequestOptions = {}): Promise<Message> {
    const body = seats.length > 0 ? { room: "seats" as const, seats, text } : { text };
    return this.client.request("post", "/v1/games/{game_id}/talk", { ...options, path: { game_id: this.id }, body });
  }

  /** Make a move in the game as it was at the version that you saw. */
  async play(body: Move, version: number, options: RequestOptions = {}): Promise<GameView> {
    const call = { headers: { ...options.headers, "if-match": `"${version}"` }, path: { game_id: this.id }, body };
    return (await this.client.request("post", "/v1/games/{game_id}/moves", { ...options, ...call })) as GameView;
  }

  /** Yield each of your turns until the game is over. A turn that you do not play is yielded again. */
  async *turns({ signal }: Stop = {}): AsyncGenerator<Turn, void, undefined> {
    let view = await this.get({ signal });
    for (let offered = 0; view.status === "open" || view.status === "running"; ) {
      if (view.moves.length > 0 && view.version !== offered) {
        offered = view.version;
        yield new Turn(this, view, signal);
      } else {
        offered = 0;
        const call = { path: { game_id: this.id }, query: { after: view.version, wait: WAIT }, signal, endless: true };
        await this.client.request("get", "/v1/games/{game_id}/events", call);
      }
      view = await this.get({ signal, endless: true });
    }
  }

  /** Yield the game's commits, from the first commit or after a version, until the game is over. */
  events({ after, signal }: Stop & { after?: number } = {}): AsyncGenerator<Commit, void, undefined> {
    const call = { path: { game_id: this.id }, query: { after }, signal };
    return this.client.stream("/v1/games/{game_id}/events/stream", call) as AsyncGenerator<Commit, void>;
  }
}

/** A turn that is waiting for you. `view` is the game as you see it, and `view.moves` are your legal moves.
 *  `signal` is the signal of the loop that yielded the turn. */
export class Turn {
  constructor(readonly game: Game, readonly view: GameView, readonly signal?: AbortSignal) {}

  /** Make a move. Return the game after it, or null if the turn was already over. */
  play(move: Move, options: RequestOptions = {}): Promise<GameView | null> {
    const call = { endless: true, signal: this.signal, ...options };
    return this.game.play(move, this.view.version, call).catch((error) => only(IS_OVER, error) && null);
  }
}

/** Return the error if it is a problem with one of these codes, and otherwise throw it. */
function only(codes: RegExp, error: unknown): Problem {
  if (error instanceof Problem && codes.test(error.code ?? "")) return error;
  throw error;
}

const warn = ({ message }: Problem, gameId: string) => console.warn(`skipped game ${JSON.stringify(gameId)}: ${message}`);
