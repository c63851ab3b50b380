import { createServer } from "node:http";

/** A payment service over a socket, in a process of its own: it knows every client, and answers at once. */
let tokens = 0;

const server = createServer((request, response) => {
  const answer = (status: number, body: unknown) => {
    response.writeHead(status, { "content-type": "application/json", connection: "close" });
    response.end(JSON.stringify(body));
  };
  request.resume().on("end", () => {
    const [scheme, credential = ""] = (request.headers.authorization ?? "").split(" ");
    if (request.url === "/api/oauth/token" && scheme === "Basic") {
      const [client] = Buffer.from(credential, "base64").toString().split(":");
      tokens += 1;
      answer(200, { access_token: `${client}~${tokens}`, token_type: "Bearer", expires_in: 1_800 });
    } else if (request.url === "/api/v1/webhooks" && request.method === "GET") {
      const [client = ""] = credential.split("~");
      const webhooks = ["pix_in", "pix_out"].map((type) => ({
        type,
        callback_url: `https://hooks.example/${client}/0`,
        auth_header: `Bearer ${client}`,
        events: type === "pix_in" ? ["collection.paid"] : ["transfer.completed"],
      }));
      answer(200, { webhooks });
    } else answer(404, { error: "Not found" });
  });
});
server.keepAliveTimeout = 1;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") process.send?.(address.port);
});
