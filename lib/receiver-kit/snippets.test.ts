import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import { runCheck } from "@/lib/endpoint-check/server/run";
import { startReceivers } from "@/lib/platform/egress/testing/receivers";
import { Secret } from "@/lib/platform/runtime/secret";
import { freePort } from "@/e2e/installation/free-port";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import net from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { curlCommands, snippets } from "./model/snippets";
import { runners, whyNotRun } from "./testing/runners";

const receivers = startReceivers();
const children: ChildProcess[] = [];
afterAll(() => receivers.close());

const [value, next] = ["Bearer kit-value-1", "Bearer kit-value-2"];
const both = { PIX_AUTHORIZATION: value, PIX_AUTHORIZATION_NEXT: next };

const notRun = new Map(snippets.map(({ id }) => [id, whyNotRun(id)]));

/** `HANDLERS=all`: fails for what is not installed. Otherwise the run reports it as skipped. */
const mayMiss = process.env["HANDLERS"] !== "all";

const passed = new Set<string>();

/** What a queue that is down does to the handler, in its language. */
const failures: Record<string, string> = {
  express: 'throw new Error("no queue");',
  spring: 'throw new IllegalStateException("no queue");',
  php: 'throw new Exception("no queue");',
  python: 'raise RuntimeError("no queue")',
};

afterAll(() => {
  const lines = snippets.map(({ id, label }) => {
    const isRun = run.some((snippet) => snippet.id === id);
    const else_ = isRun ? "did not pass the check" : "not run here";
    const how = passed.has(id) ? "passes the check" : (notRun.get(id) ?? else_);
    return `  ${label}: ${how}`;
  });
  // eslint-disable-next-line no-console -- Vitest's summary counts what was skipped, and does not say what and why.
  console.log(`The receiver kit's handlers:\n${lines.join("\n")}`);
});

/** Resolves to the port on which it listens, or to null if it exited. */
async function start(
  folder: string,
  command: (port: number) => [string, ...string[]],
  values: Partial<typeof both>,
): Promise<number | null> {
  const port = await freePort();
  const [program, ...args] = command(port);
  const env = { ...process.env, PORT: String(port), NODE_OPTIONS: "" };
  const child = spawn(program, args, { cwd: folder, env: { ...env, ...values }, stdio: "ignore" });
  children.push(child);
  const ended = () => child.exitCode !== null;
  await vi.waitUntil(async () => ended() || (await accepts(port)), { timeout: 50_000 });
  return ended() ? null : port;
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

/** Sends these bytes, and returns the status of the answer; null where there is none. */
const send = (port: number, text: string, { cut = false } = {}): Promise<number | null> =>
  new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => {
      socket.write(text, "latin1");
      // The bytes must arrive before the connection is reset.
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

const run = snippets.filter(
  ({ id }) => runners[id] && (isThorough || !mayMiss || id === "express"),
);

describe.each(run.map(({ id, code }) => [id, code]))("%s", (id, code) => {
  const missing = notRun.get(id);
  const head = (...more: string[]) =>
    ["POST /pix HTTP/1.1", "host: localhost", ...more, "", ""].join("\r\n");
  let runner: NonNullable<(typeof runners)[string]>;
  let folder: string;
  let command: (port: number) => [string, ...string[]];
  let port: number;

  beforeAll(async () => {
    if (missing && mayMiss) return;
    if (missing) throw new Error(missing);
    folder = newFolder();
    const found = runners[id];
    if (!found) throw new Error(`no runner for ${id}`);
    runner = found;
    command = runner.prepare(folder, code);
    port = (await start(folder, command, both)) ?? 0;
    expect(port, "it listens").not.toBe(0);
    // Long enough for a cold compiler on a busy machine.
  }, 300_000);

  afterAll(() => {
    for (const child of children.splice(0)) child.kill();
  });

  beforeEach(({ skip }) => {
    if (missing) skip(missing);
  });

  it("passes the check: it refuses a message without a value, accepts both values, and refuses any other", async () => {
    // TLS ends in front of it, as it does in production.
    const front = await receivers.receiver(() => undefined, {
      raw: (socket) => {
        const onward = net.connect(port, "127.0.0.1");
        onward.on("error", () => socket.destroy());
        socket.pipe(onward).pipe(socket);
      },
    });
    const rules = receivers.rules({ limits: {} });
    const about = { partner: "aurora", environment: "sandbox", type: "pix_in" } as const;
    const check = (given: string) => {
      const url = `https://hooks.example.com:${front.port}/pix`;
      return runCheck(about, { url, value: new Secret(given), withheld: null }, rules);
    };
    expect(await check(value)).toMatchObject({
      verdict: "accepts_only_with",
      without: { status: 401, complete: true },
      with: { status: 204, complete: true },
    });
    expect(await check(next)).toMatchObject({ verdict: "accepts_only_with" });
    for (const other of [
      "Bearer kit-value",
      "Bearer kit-value-3",
      "kit-value-1",
      "bearer kit-value-1",
    ])
      expect(await check(other)).toMatchObject({ verdict: "refuses_with" });
    passed.add(id);
  });

  it("refuses a header that is empty, long or not text, and goes on (threat: a comparison that throws)", async () => {
    const others = ["", " ", "Bearer \xe9\xff", `Bearer ${"k".repeat(4_000)}`];
    const padded = runner.server?.trimsNoBreakSpace ? [] : [`${value}\xa0`];
    for (const other of [...others, ...padded])
      expect(await send(port, head(`authorization: ${other}`, "content-length: 0"))).toBe(401);
    expect(await send(port, head(`authorization: ${value}`, "content-length: 0"))).toBe(204);
  });

  it("answers before it has the body of a message that it refuses (threat: anybody fills its memory)", async ({
    skip,
  }) => {
    if (runner.server?.readsBodyFirst) skip("its server has the body first");
    expect(await send(port, head("content-length: 30000000") + '{"half":')).toBe(401);
  });

  it("goes on after a message that was cut off (threat: a lost connection ends the receiver)", async () => {
    const cut = head(`authorization: ${value}`, "content-length: 1000") + '{"half":';
    await send(port, cut, { cut: true });
    expect(await send(port, head(`authorization: ${value}`, "content-length: 0"))).toBe(204);
  });

  it("answers that it failed, and goes on, where nothing could be queued (threat: a payment is acknowledged and lost)", async () => {
    const failing = newFolder();
    const fails = code.replace(/(?:\/\/|#) Put it into a queue.*/, failures[id] ?? "");
    const at = await start(failing, runner.prepare(failing, fails), both);
    const message = `${head(`authorization: ${value}`, "content-length: 2")}{}`;
    for (let turn = 0; turn < 2; turn++) expect(await send(at ?? 0, message)).toBe(500);
  });

  const empty: [name: string, values: Partial<typeof both>][] = [
    ["the second value is", { ...both, PIX_AUTHORIZATION_NEXT: "" }],
    ["both values are", { PIX_AUTHORIZATION: "", PIX_AUTHORIZATION_NEXT: "" }],
  ];
  it.each(empty)(
    "refuses a message without the header where %s empty (threat: an empty variable lets everybody in)",
    async (_, values) => {
      const at = await start(folder, command, values);
      // A handler that does not start without a value refuses everything.
      if (at === null) return expect(values.PIX_AUTHORIZATION).toBe("");
      for (const authorization of [[], ["authorization:"], ["authorization: "]])
        expect(await send(at, head(...authorization, "content-length: 0"))).toBe(401);
      const status = await send(at, head(`authorization: ${value}`, "content-length: 0"));
      expect(status).toBe(values.PIX_AUTHORIZATION === value ? 204 : 401);
    },
  );
});

describe("the commands for curl", () => {
  const url = "https://hooks.example.com/pix?to=[1-3]";
  const { without, withValue } = curlCommands({ type: "pix_in", url });
  /** What the shell passes to curl, one argument on a line. */
  const passed = (command: string, set: Record<string, string>) =>
    spawnSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }; ${command}`], {
      env: { ...process.env, ...set },
      encoding: "utf8",
    });

  it("send the address as it is, with the value and without", () => {
    for (const command of [without, withValue]) {
      const { stdout } = passed(command, { PIX_IN_AUTHORIZATION: value });
      expect(stdout.split("\n")).toEqual(expect.arrayContaining(["--globoff", url]));
      expect(stdout.includes(`Authorization: ${value}\n`)).toBe(command === withValue);
    }
  });

  it("send nothing where the value is not set (threat: a receiver seems to refuse its own value)", () => {
    const { stdout, stderr, status } = passed(withValue, {});
    expect([stdout, status === 0]).toEqual(["", false]);
    expect(stderr).toContain("PIX_IN_AUTHORIZATION");
  });
});

it("compares by the language's constant-time function, also in a handler that is not run here (threat: a timing attack on the value)", () => {
  const own: Record<string, string> = {
    express: "timingSafeEqual(",
    spring: "MessageDigest.isEqual(",
    php: "hash_equals(",
    python: "hmac.compare_digest(",
  };
  for (const { id, code } of snippets) expect(code, id).toContain(own[id] ?? id);
});
