import { ConnectionFailed, UnexpectedResponse } from "./errors.js";

/** The longest event, in characters. */
const LONGEST = 2 ** 20;

export type Watch = ReturnType<typeof watch>;

/** Watch a response. `signal` aborts when `outer` aborts, when `ms` have passed since the last call of `touch`, and when
 *  `end` is called. `heard` says whether any part of a stream has arrived. */
export function watch(ms: number, outer?: AbortSignal) {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = () => controller.abort(outer?.reason);
  const rest = () => clearTimeout(timer);
  const touch = () => {
    rest();
    // A timer with a longer time would fire immediately.
    timer = setTimeout(() => controller.abort(new Error(`nothing arrived for ${ms} ms`)), Math.min(ms, 2 ** 31 - 1));
  };
  const end = () => [rest(), outer?.removeEventListener("abort", abort), controller.abort()];
  outer?.addEventListener("abort", abort);
  outer?.aborted ? abort() : touch();
  return { signal: controller.signal, heard: false, rest, touch, end };
}

/** Yield the events of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html, section 9.2.6). */
export async function* events(body: ReadableStream<Uint8Array>, watch: Watch) {
  const [reader, decoder] = [body.getReader(), new TextDecoder()];
  let [unread, size, id, type, data] = ["", 0, "", "", [] as string[]];
  for (;;) {
    watch.touch();
    const { value, done } = await arriving(reader.read());
    watch.rest();
    if (done) throw new ConnectionFailed("the stream has ended");
    watch.heard = true;
    const text = decoder.decode(value, { stream: true });
    if ((size += text.length) > LONGEST) throw new UnexpectedResponse(`an event has more than ${LONGEST} characters`);
    // A carriage return at the end may be the first half of a CRLF.
    const lines = (unread + text).split(/\r\n|\n|\r(?!$)/);
    unread = lines.pop() ?? "";
    for (const line of lines) {
      const [, name, field = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (line === "") {
        if (data.length > 0) yield { id, type, data: data.join("\n") };
        [size, type, data] = [unread.length, "", []];
      } else if (name === "data") data.push(field);
      else if (name === "event") type = field;
      else if (name === "id" && /^[\x21-\x7e]{0,200}$/.test(field)) id = field;
    }
  }
}

/** Await a part of a response. Throws ConnectionFailed if it does not arrive. */
export async function arriving<T>(part: Promise<T>): Promise<T> {
  return part.catch((cause) => {
    throw new ConnectionFailed(`the connection failed: ${cause}`, { cause });
  });
}
