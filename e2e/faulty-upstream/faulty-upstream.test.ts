import net from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "@/lib/sandbox/start";
import type { Action, Plan } from "./plan";
import { type FaultyUpstream, startFaultyUpstream } from "./server";

let sandbox: Sandbox;
let upstream: FaultyUpstream;
beforeEach(async () => {
  sandbox = await startSandbox();
  upstream = await startFaultyUpstream({ sandbox: sandbox.url });
});
afterEach(async () => {
  await upstream.close();
  await sandbox.close();
});

/** Sends a list request and takes every byte that comes back, and how the connection ended. */
async function rawList(path = "/api/v1/webhooks") {
  const socket = net.connect(upstream.port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  const pieces: string[] = [];
  socket.on("data", (piece) => pieces.push(piece.toString("latin1")));
  let reset = false;
  socket.on("error", () => {
    reset = true;
  });
  await new Promise((resolve) => socket.once("close", resolve));
  return { pieces, answer: pieces.join(""), reset };
}

const listMeets = (action: Action): Plan => ({ rules: [{ kind: "list", action }] });

describe("in front of the sandbox", () => {
  it("passes on what no rule is about", async () => {
    const { answer } = await rawList("/a-prefix/api/v1/webhooks");
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toContain('{"error":"unauthorized"}');
    expect(upstream.received()).toMatchObject([
      { kind: "list", number: 1, prefix: "a-prefix", path: "/api/v1/webhooks", applied: 401 },
    ]);
  });

  it("applies first and then says something else, or nothing", async () => {
    upstream.setPlan(listMeets({ apply: "first", answer: { status: 502 } }));
    expect((await rawList()).answer).toMatch(/^HTTP\/1\.1 502 /);
    expect(upstream.received()).toMatchObject([{ applied: 401 }]);

    upstream.setPlan(listMeets({ apply: "first", cutAfter: 0, ending: "reset" }));
    expect(await rawList()).toMatchObject({ answer: "", reset: true });
    expect(upstream.received()).toMatchObject([{ applied: 401 }]);
  });

  it("applies after the answer has ended", async () => {
    upstream.setPlan(listMeets({ apply: { lateMs: 20 }, answer: { status: 504 } }));
    expect((await rawList()).answer).toMatch(/^HTTP\/1\.1 504 /);
    await upstream.idle();
    expect(upstream.received()).toMatchObject([{ applied: 401 }]);
  });

  it("does not apply what it answers by itself", async () => {
    upstream.setPlan(listMeets({ answer: { status: 200, body: "{}" } }));
    await rawList();
    expect(upstream.received()).toMatchObject([{ applied: null }]);
  });
});

describe("an answer", () => {
  it("can be cut, dripped and raw", async () => {
    upstream.setPlan(listMeets({ raw: "SSH-2.0-x", cutAfter: 5 }));
    expect((await rawList()).answer).toBe("SSH-2");
    upstream.setPlan(listMeets({ raw: "abc", drip: { bytes: 1, everyMs: 50 } }));
    const { answer, pieces } = await rawList();
    expect(answer).toBe("abc");
    // A busy machine may read two of them at once.
    expect(pieces.length).toBeGreaterThan(1);
  });

  it("has the true length unless the plan says otherwise", async () => {
    upstream.setPlan(listMeets({ answer: { body: "ab", repeat: 3 } }));
    expect((await rawList()).answer).toMatch(/content-length: 6\r\n[^]*\r\n\r\nababab$/);
    upstream.setPlan(listMeets({ answer: { body: "ab", headers: { "content-length": "9" } } }));
    expect((await rawList()).answer).toMatch(/content-length: 9\r\n[^]*\r\n\r\nab$/);
  });
});

describe("a plan", () => {
  it("is by kind, number and prefix, and the first rule that fits decides", async () => {
    const status = (code: number) => ({ answer: { status: code } });
    upstream.setPlan({
      rules: [
        { kind: "register", action: status(500) },
        { kind: "list", from: 2, times: 1, action: status(502) },
        { kind: "any", prefix: "b", action: status(503) },
        { kind: "list", action: status(504) },
      ],
    });
    const seen = [];
    for (const path of ["/api/v1/webhooks", "/api/v1/webhooks", "/b/api/v1/webhooks"]) {
      seen.push((await rawList(path)).answer.slice(9, 12));
    }
    expect(seen).toEqual(["504", "502", "503"]);
    expect(upstream.counts()).toEqual({ token: 0, list: 3, register: 0, other: 0 });
  });

  it("counts from the start when it is set", async () => {
    await rawList();
    upstream.setPlan({ rules: [] });
    expect(upstream.counts().list).toBe(0);
    expect(upstream.traffic()).toMatchObject({ connections: 0 });
  });

  it("can refuse connections before a request is read", async () => {
    upstream.setPlan({ rules: [], connections: "reset" });
    expect(await rawList()).toMatchObject({ answer: "", reset: true });
    expect(upstream.received()).toEqual([]);
  });
});
