// A bot for Condottiere in one web handler. Needs Node 18, WEBHOOK_SECRET and PORT; see examples/README.md.
import { createHmac } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace("whsec_", ""), "base64");

function answer(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": sent, "webhook-signature": signatures = "" } = headers;
  const signature = `v1,${createHmac("sha256", key).update(`${id}.${sent}.${body}`).digest("base64")}`;
  if (!signatures.split(" ").includes(signature) || !(Math.abs(Date.now() / 1000 - sent) < 300)) return [401];
  const { type, data } = JSON.parse(body);
  if (type === "ping") return [200, { challenge: data.challenge }];
  return type === "turn.started" ? [200, { move: Math.floor(Math.random() * data.moves.length) }] : [204];
}

createServer(async (request, response) => {
  const [status, move] = answer(request.headers, Buffer.concat(await request.toArray()).toString());
  response.writeHead(status, { "content-type": "application/json" }).end(move && JSON.stringify(move));
}).listen(process.env.PORT, process.env.HOST);
