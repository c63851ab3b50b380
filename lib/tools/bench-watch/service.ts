import { createServer } from "node:http";

/**
 * A payment service as far as the watch asks it, over a socket, in a process of its own: it knows every client, answers
 * after so many milliseconds, and counts who asked when. `process.argv`: milliseconds.
 *
 *   POST /bench/change  {"clients": […]}: somebody changes what these have registered
 *   GET  /bench/delay?ms=…: from now on it answers after so many milliseconds
 *   GET  /bench/report?from=…: of each client, when its list was asked for since then
 */
let delayMs = Number(process.argv[2] ?? 20);
const versions = new Map<string, number>();
let asked: { client: string; at: number }[] = [];
let tokens = 0;

const server = createServer((request, response) => {
  const answer = (status: number, body: unknown, ms = delayMs) =>
    setTimeout(() => {
      response.writeHead(status, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify(body));
    }, ms);
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const [scheme, credential = ""] = (request.headers.authorization ?? "").split(" ");
    if (pathname === "/api/oauth/token" && scheme === "Basic") {
      const [client] = Buffer.from(credential, "base64").toString().split(":");
      tokens += 1;
      answer(200, { access_token: `${client}~${tokens}`, token_type: "Bearer", expires_in: 1_800 });
    } else if (pathname === "/api/v1/webhooks" && request.method === "GET") {
      const [client = ""] = credential.split("~");
      asked.push({ client, at: Date.now() });
      const url = `https://hooks.example/${client}/${versions.get(client) ?? 0}`;
      const webhooks = ["pix_in", "pix_out"].map((type) => ({
        type,
        callback_url: url,
        auth_header: `Bearer ${client}`,
        events: type === "pix_in" ? ["collection.paid"] : ["transfer.completed"],
      }));
      answer(200, { webhooks });
    } else if (pathname === "/bench/change") {
      const { clients } = JSON.parse(Buffer.concat(chunks).toString()) as { clients: string[] };
      for (const client of clients) versions.set(client, (versions.get(client) ?? 0) + 1);
      answer(200, { at: Date.now() }, 0);
    } else if (pathname === "/bench/delay") {
      delayMs = Number(searchParams.get("ms"));
      answer(200, {}, 0);
    } else if (pathname === "/bench/report") {
      const from = Number(searchParams.get("from"));
      asked = asked.filter(({ at }) => at >= from);
      answer(200, { asked, tokens }, 0);
    } else answer(404, { error: "nothing here" }, 0);
  });
});
server.keepAliveTimeout = 1;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") process.send?.(address.port);
});
