import { GET as live } from "@/app/api/health/live/route";
import * as operation from "@/app/api/partners/[partner]/[environment]/operations/[operation]/route";
import * as proposal from "@/app/api/partners/[partner]/[environment]/proposals/[proposal]/route";
import * as webhooks from "@/app/api/partners/[partner]/[environment]/webhooks/route";
import { watchClock } from "@/lib/platform/database/clock";
import { env } from "@/lib/platform/env/env";
import { startReader } from "@/lib/watch/server/reader";
import http from "node:http";
import { serving } from "./next-headers";

/**
 * A dashboard without pages: the routes that a model's run calls, and the reader. The framework would take most of the
 * processor's time, and answers nothing of what the judge judges. A second one beside it is another instance.
 */

type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Promise<Response>;

const routes: [path: RegExp, methods: Record<string, Handler>][] = [
  [/^\/api\/health\/live$/, { GET: live }],
  [/^\/api\/partners\/(?<partner>[^/]+)\/(?<environment>[^/]+)\/webhooks$/, { ...webhooks }],
  [
    /^\/api\/partners\/(?<partner>[^/]+)\/(?<environment>[^/]+)\/operations\/(?<operation>[^/]+)$/,
    { ...operation },
  ],
  [
    /^\/api\/partners\/(?<partner>[^/]+)\/(?<environment>[^/]+)\/proposals\/(?<proposal>[^/]+)$/,
    { ...proposal },
  ],
];

async function answer(incoming: http.IncomingMessage, outgoing: http.ServerResponse) {
  const { method = "GET", url = "/" } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = new Headers(incoming.headers as Record<string, string>);
  const body = method === "GET" ? null : Buffer.concat(chunks);
  const request = new Request(new URL(url, env().url), { method, headers, body });
  for (const [path, methods] of routes) {
    const params = path.exec(url)?.groups;
    const handle = methods[method];
    if (!params && !path.test(url)) continue;
    if (!handle) continue;
    const response = await serving(headers, () =>
      handle(request, { params: Promise.resolve({ ...params }) }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
    return;
  }
  outgoing.writeHead(404).end();
}

await watchClock();
void startReader();
http
  .createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      console.error(error);
      outgoing.destroy();
    });
  })
  .listen(env().port, "localhost", () => console.log("Gancho ready"));
process.once("SIGINT", () => process.exit());
