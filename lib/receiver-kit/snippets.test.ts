import { runCheck } from "@/lib/endpoint-check/server/run";
import { denyList } from "@/lib/platform/egress/address";
import type { EgressRules } from "@/lib/platform/egress/egress";
import { startReceivers } from "@/lib/platform/egress/testing/receivers";
import { Secret } from "@/lib/platform/runtime/secret";
import { freePort } from "@/e2e/installation/free-port";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { snippets } from "./model/snippets";

const receivers = startReceivers();
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) child.kill();
  await receivers.close();
});

const [value, next] = ["Bearer kit-value-1", "Bearer kit-value-2"];
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** How each one that can be run here is started. Next's handler takes a request and gives an answer, as `fetch` knows them. */
const runners: Record<string, { file: string; command: string; around?: string }> = {
  node: { file: "server.mjs", command: process.execPath },
  python: { file: "server.py", command: "python3" },
  next: {
    file: "route.mjs",
    command: process.execPath,
    around: `
      import { createServer } from "node:http";
      createServer(async (request, response) => {
        const pieces = [];
        request.on("error", () => undefined);
        request.on("data", (piece) => pieces.push(piece));
        const whole = await new Promise((resolve) => request.on("close", () => resolve(request.complete)));
        if (!whole) return;
        const { status } = await POST(new Request("http://localhost/pix", {
          method: "POST", headers: request.headers, body: Buffer.concat(pieces),
        }));
        response.writeHead(status).end();
      }).listen(Number(process.env.PORT));`,
  },
};

const both = { PIX_AUTHORIZATION: value, PIX_AUTHORIZATION_NEXT: next };

async function start(id: string, code: string, values = both): Promise<number> {
  const runner = runners[id];
  if (!runner) throw new Error(`nobody knows how to run ${id}`);
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-kit-"));
  const file = path.join(folder, runner.file);
  writeFileSync(file, code + (runner.around ?? ""));
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), NODE_OPTIONS: "" };
  children.push(spawn(runner.command, [file], { env: { ...env, ...values }, stdio: "ignore" }));
  await expect.poll(() => accepts(port)).toBe(true);
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

it.each(snippets.filter(({ tested }) => tested).map(({ id, code }) => [id, code]))(
  "%s passes the check: it refuses what has no value, accepts both, and refuses another",
  async (id, code) => {
    expect(id !== "python" || hasPython, "python3 is installed").toBe(true);
    const port = await start(id, code);
    // TLS ends in front of it, as it does in production.
    const front = await receivers.receiver(() => undefined, {
      raw: (socket) => {
        const onward = net.connect(port, "127.0.0.1");
        onward.on("error", () => socket.destroy());
        socket.pipe(onward).pipe(socket);
      },
    });
    const rules: EgressRules = {
      deny: denyList([]),
      proxy: null,
      loopbackPort: null,
      ca: receivers.ca,
      resolve: async () => ["203.0.114.7"],
      dial: ({ port: to }) => net.connect({ host: "127.0.0.1", port: to }),
    };
    const check = (given: string) => {
      const url = `https://hooks.example.com:${front.port}/pix`;
      return runCheck("pix_in", { url, value: new Secret(given), withheld: null }, rules);
    };
    expect(await check(value)).toMatchObject({
      verdict: "enforced",
      without: { status: 401, complete: true },
      with: { status: 204, complete: true },
    });
    expect(await check(next)).toMatchObject({ verdict: "enforced" });
    for (const other of [
      "Bearer kit-value",
      "Bearer kit-value-3",
      "kit-value-1",
      "bearer kit-value-1",
    ])
      expect(await check(other)).toMatchObject({ verdict: "value_refused" });
  },
);

/** Sends bytes of its own, and gives the status of the answer; null where there is none. */
function send(port: number, text: string, { cut = false } = {}): Promise<number | null> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => {
      socket.write(text);
      // What was sent is there before the connection is not any more.
      if (cut) setImmediate(() => socket.end(() => socket.resetAndDestroy()));
    });
    let answer = "";
    socket.on("data", (piece: Buffer) => {
      answer += piece.toString("latin1");
      socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.once("close", () => {
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1];
      resolve(status === undefined ? null : Number(status));
    });
  });
}

const head = (...more: string[]) =>
  ["POST /pix HTTP/1.1", "host: localhost", ...more, "", ""].join("\r\n");

describe.each(snippets.filter(({ tested }) => tested).map(({ id, code }) => [id, code]))(
  "%s",
  (id, code) => {
    it("refuses a message without the header where the second value is set, and empty (threat: an empty variable lets everybody in)", async () => {
      const port = await start(id, code, { ...both, PIX_AUTHORIZATION_NEXT: "" });
      for (const authorization of [[], ["authorization:"], ["authorization: "]])
        expect(await send(port, head(...authorization, "content-length: 0"))).toBe(401);
      expect(await send(port, head(`authorization: ${value}`, "content-length: 0"))).toBe(204);
    });

    it("goes on after a message that was cut off (threat: a lost connection ends the receiver)", async () => {
      const port = await start(id, code);
      const cut = head(`authorization: ${value}`, "content-length: 1000") + '{"half":';
      await send(port, cut, { cut: true });
      expect(await send(port, head(`authorization: ${value}`, "content-length: 0"))).toBe(204);
    });
  },
);

it("of those that are not run, none takes an empty value for one (threat: an empty variable lets everybody in)", () => {
  const drops: Record<string, string> = {
    express: "].filter(Boolean)",
    fastapi: "if os.environ.get(name)]",
    spring: ".filter(value -> value != null && !value.isEmpty())",
    laravel: "array_filter([",
    go: 'value != ""',
    csharp: "!string.IsNullOrEmpty(value)",
  };
  const notRun = snippets.filter(({ tested }) => !tested);
  expect(notRun.map(({ id }) => id).sort()).toEqual(Object.keys(drops).sort());
  for (const { id, code } of notRun) expect(code).toContain(drops[id]);
});

it("says of each whether it is run here", () => {
  const tested = snippets.filter((snippet) => snippet.tested).map(({ id }) => id);
  expect(tested.sort()).toEqual(Object.keys(runners).sort());
});
