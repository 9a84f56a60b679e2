// A bot for Condottiere in one web handler. Needs Node 18, WEBHOOK_SECRET and PORT; see examples/README.md.
import { createHmac } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace("whsec_", ""), "base64");

function answer(headers, body) {
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const signature = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  const { type, data } = JSON.parse(body);
  if (!headers["webhook-signature"]?.split(" ").includes(signature)) return [401];
  if (type === "ping") return [200, { challenge: data.challenge }];
  return type === "turn.started" ? [200, { move: Math.floor(Math.random() * data.moves.length) }] : [204];
}

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const [status, move] = answer(request.headers, body);
  response.writeHead(status, { "content-type": "application/json" }).end(move && JSON.stringify(move));
}).listen(process.env.PORT, process.env.HOST);
