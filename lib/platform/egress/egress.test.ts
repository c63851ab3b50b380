import { Secret } from "@/lib/platform/runtime/secret";
import { randomBytes } from "node:crypto";
import http from "node:http";
import net from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "@/e2e/installation/free-port";
import type { Certificate } from "@/lib/tools/certificates";
import { hostList } from "./address";
import { type EgressRules, findEndpoint } from "./egress";
import { type Receiver, startReceivers, tls10Only } from "./testing/receivers";

const receivers = startReceivers();
afterAll(() => receivers.close());

const body = '{"gancho":"endpoint-check"}';
const value = new Secret("Bearer canary-5b1e-not-a-secret");

const { rules } = receivers;

async function post(port: number, authorization: Secret | null = null, overrides = {}) {
  const found = await findEndpoint(`https://hooks.example.com:${port}/pix?a=1`, rules(overrides));
  if (!found.found) throw new Error(found.because);
  return found.post({ body, userAgent: "gancho/test", authorization });
}

describe("a receiver that works", () => {
  it("gets one POST a call, with the value only where it was given, and its answer is reported", async () => {
    const { port, got } = await receivers.enforcing(value.reveal());
    const without = await post(port);
    const withValue = await post(port, value);
    expect(without.outcome).toMatchObject({ kind: "answered", status: 401, complete: true });
    expect(withValue.outcome).toMatchObject({ kind: "answered", status: 204, complete: true });
    expect(without.tls).toMatchObject({
      version: "TLSv1.3",
      certificate: {
        names: ["hooks.example.com", "*.example.com"],
        issuer: "Gancho test authority",
      },
    });
    expect(got.map((one) => one.headers.authorization)).toEqual([undefined, value.reveal()]);
    expect(got[0]).toMatchObject({
      method: "POST",
      path: "/pix?a=1",
      body,
      headers: { host: `hooks.example.com:${port}`, "user-agent": "gancho/test" },
    });
  });

  it("gets no second request by a redirect, of which only the host is reported", async () => {
    const elsewhere = await receivers.enforcing("");
    for (const [location, host] of [
      ["https://login.example.net:8443/pix?secret=1", "login.example.net:8443"],
      [`https://127.0.0.1:${elsewhere.port}/`, `127.0.0.1:${elsewhere.port}`],
      ["/elsewhere", null],
      ["http://[bad", null],
    ] as const) {
      const { port } = await receivers.receiver((_got, response) =>
        response.writeHead(302, { location }).end(),
      );
      const { outcome } = await post(port, value);
      const redirectHost = location.startsWith("/") ? `hooks.example.com:${port}` : host;
      expect(outcome).toMatchObject({ kind: "answered", status: 302, redirectHost });
    }
    expect(elsewhere.connections()).toBe(0);
  });
});

describe("TLS", () => {
  const name = ["hooks.example.com"];
  const certified = (certificate: Certificate) =>
    receivers.receiver((_got, response) => response.end(), { certificate });
  const issue = (wanted: { names?: string[]; fromDay?: number; toDay?: number }) =>
    certified(receivers.authority.issue({ names: name, ...wanted }));
  const selfSigned = () => certified(receivers.authority.selfSigned({ names: name }));
  const unknown = () => certified(startReceivers().authority.issue({ names: name }));
  const old = () => receivers.receiver((_got, response) => response.end(), { tls: tls10Only });
  const http = () => receivers.plain((socket) => void socket.end("HTTP/1.1 400 No\r\n\r\n"));

  it.each<[string, () => Promise<Receiver>, string, string[] | undefined]>([
    ["expired", () => issue({ fromDay: -9, toDay: -2 }), "certificate_expired", name],
    ["of tomorrow", () => issue({ fromDay: 1, toDay: 9 }), "certificate_not_yet_valid", name],
    ["of another", () => issue({ names: ["x.example"] }), "certificate_wrong_name", ["x.example"]],
    ["signed by itself", selfSigned, "certificate_self_signed", name],
    ["of an unknown authority", unknown, "certificate_untrusted", name],
    ["shown over TLS 1.0", old, "tls_version", undefined],
    ["not asked for: plain HTTP", http, "not_tls", undefined],
    ["not sent", () => receivers.plain(() => undefined), "tls_timeout", undefined],
    ["cut off", () => receivers.plain((socket) => socket.destroy()), "tls_failed", undefined],
  ])(
    "refuses a certificate that is %s, sends nothing, and reports its content",
    async (_what, start, because, names) => {
      const { port, got } = await start();
      const { outcome, tls } = await post(port, value);
      expect(outcome).toMatchObject({ kind: "failed", stage: "tls", because });
      expect(tls?.certificate?.names).toEqual(names);
      expect(got).toEqual([]);
    },
  );

  it("refuses it also where the environment says not to verify (threat: NODE_TLS_REJECT_UNAUTHORIZED)", async () => {
    const { port, got } = await selfSigned();
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await post(port, value)).outcome).toMatchObject({ stage: "tls" });
    expect(got).toEqual([]);
  });

  it("is not begun where nobody listens", async () => {
    const port = await freePort();
    const { outcome, tls } = await post(port, value);
    expect(outcome).toMatchObject({ kind: "failed", stage: "connect", because: "refused" });
    expect(tls).toBeNull();
  });
});

/**
 * Writes this piece for as long as anybody reads: so large that the limit on size ends it, and not the one on time,
 * also where all cores are busy.
 */
function endlessly(piece: string, first = "") {
  return (socket: net.Socket) => {
    socket.write(first);
    const more = () => {
      if (!socket.destroyed) socket.write(piece, () => setImmediate(more));
    };
    more();
  };
}

const endlessHead = endlessly(`x: ${"y".repeat(1_000)}\r\n`, "HTTP/1.1 200 OK\r\n");

describe("an answer that does not end as it should", () => {
  const drip =
    (text: string, first = "") =>
    (socket: net.Socket) => {
      socket.write(first);
      let at = 0;
      const timer = setInterval(() => socket.write(text[at++] ?? "x"), 50);
      socket.once("close", () => clearInterval(timer));
    };
  const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
  const upgrade = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
  const accepted = "HTTP/1.1 202 Accepted\r\ncontent-length: 5000\r\n\r\n";

  it.each<[string, (socket: net.Socket) => void, object]>([
    ["nothing", () => undefined, { stage: "answer", because: "no_answer" }],
    ["a head without end", endlessHead, { because: "head_too_large" }],
    ...["100 Continue", "102 Processing", "103 Early Hints"].map(
      (status): [string, (socket: net.Socket) => void, object] => [
        `${status} without end`,
        endlessly(`HTTP/1.1 ${status}\r\n\r\n`.repeat(64)),
        { because: "head_too_large" },
      ],
    ),
    // Nothing of the body is kept.
    [
      "a body without end",
      endlessly(`1000\r\n${"z".repeat(4096)}\r\n`, chunked),
      { kind: "answered", status: 200, complete: false },
    ],
    ["a head byte by byte", drip("HTTP/1.1 200 OK\r\n"), { because: "no_answer" }],
    ["a body byte by byte", drip("", accepted), { kind: "answered", status: 202, complete: false }],
    ["an early end", (socket) => socket.destroy(), { because: "closed_early" }],
    ["no HTTP", (socket) => socket.end(randomBytes(64)), { because: "not_http" }],
    ["another protocol", (socket) => socket.write(upgrade), { because: "not_http" }],
  ])(
    "is given up, and reported as what it is: %s (threat: an answer that holds a check)",
    async (_what, raw, told) => {
      const { port } = await receivers.receiver(() => undefined, { raw });
      const began = performance.now();
      expect((await post(port)).outcome).toMatchObject(told);
      expect(performance.now() - began).toBeLessThan(5_000);
    },
  );

  it("is not decompressed (threat: a bomb)", async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const before = process.memoryUsage().arrayBuffers;
    const { port } = await receivers.receiver((_got, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    expect((await post(port)).outcome).toMatchObject({ kind: "answered", status: 200 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5 * 1024 * 1024);
  });
});

describe("where nothing may go", () => {
  const dialled: string[] = [];
  const counting = (overrides: Partial<EgressRules> = {}) =>
    rules({
      dial: ({ host, port }) => {
        dialled.push(host);
        return net.connect({ host: "127.0.0.1", port });
      },
      ...overrides,
    });
  const because = async (url: string, overrides: Partial<EgressRules> = {}) => {
    const found = await findEndpoint(url, counting(overrides));
    return found.found ? null : found.because;
  };

  it("refuses literals that are not public, in every way to write them (threat: SSRF)", async () => {
    for (const host of [
      "127.0.0.1 10.0.0.1 169.254.169.254 100.64.0.1 0.0.0.0 192.0.2.1 198.18.0.1 224.0.0.1 255.255.255.255",
      "192.88.99.1 192.31.196.1 192.52.193.1 192.175.48.1 0x7f.1 2130706433 017700000001 127.1",
      "[::1] [::] [fe80::1] [fd00::1] [ff02::1] [::ffff:127.0.0.1] [::ffff:10.0.0.1] [::127.0.0.1] [::8.8.8.8]",
      "[64:ff9b::7f00:1] [64:ff9b:1::808:808] [2002:7f00:1::] [2002:808:808::] [2001:0:808:808::1]",
      "[2001:db8::1] [3fff::1] [4000::1] [100::1] [2001:2::1] [2620:4f:8000::1] [5f00::1]",
      "168.63.129.16 192.80.8.124 161.26.0.6 166.8.0.1 166.11.255.254 199.36.153.4 199.36.153.11",
      "[::ffff:168.63.129.16] [64:ff9b::a83f:8110] localhost hooks.localhost",
    ].flatMap((line) => line.split(" ")))
      expect([host, await because(`https://${host}/`)]).toEqual([host, "not_public"]);
    for (const host of [
      "203.0.114.7",
      "168.63.129.17",
      "[2606:4700::1111]",
      "[64:ff9b::cb00:7207]",
    ])
      expect([host, await because(`https://${host}/`)]).toEqual([host, null]);
    expect(dialled).toEqual([]);
  });

  it("judges each of thousands of addresses, and reports some (threat: an answer that fills what is kept of a check)", async () => {
    const many = Array.from({ length: 4_000 }, (_, n) => `203.0.${114 + (n >> 8)}.${n & 255}`);
    const found = await findEndpoint(
      "https://hooks.example.com/",
      counting({ resolve: async () => many }),
    );
    expect(found).toMatchObject({ found: true, addresses: many.slice(0, 16) });
    expect(
      await because("https://x.example/", { resolve: async () => [...many, "10.0.0.1"] }),
    ).toBe("not_public");
    expect(await because("https://x.example/", { resolve: async () => [] })).toBe("name_not_found");
  });

  it("refuses what is no https address, and ports of other protocols", async () => {
    for (const url of ["http://hooks.example.com/", "https://user:pw@hooks.example.com/", "x", ""])
      expect(await because(url)).toBe("bad_address");
    for (const port of [22, 25, 6667])
      expect(await because(`https://hooks.example.com:${port}/`)).toBe("bad_port");
    expect(await because("https://hooks.example.com:8443/")).toBeNull();
  });

  it("refuses names and addresses that are denied, also inside IPv6", async () => {
    const deny = hostList(["corp.example", "203.0.114.0/24", "2606:4700::/32", "198.51.99.1"]);
    const resolveTo = (address: string) => ({ deny, resolve: async () => [address] });
    for (const name of ["corp.example", "CORP.example", "deep.in.corp.example", "corp.example."])
      expect(await because(`https://${name}/`, { deny })).toBe("denied");
    expect(await because("https://xcorp.example/", resolveTo("8.8.8.8"))).toBeNull();
    for (const address of ["203.0.114.9", "::ffff:203.0.114.9", "64:ff9b::cb00:7209"])
      expect(await because("https://x.example/", resolveTo(address))).toBe("denied");
    for (const address of ["2606:4700::9", "198.51.99.1"])
      expect(await because("https://x.example/", resolveTo(address))).toBe("denied");
  });

  it("goes to Gancho where it receives for partners, and nowhere else there", async () => {
    const own = {
      deny: hostList(["gancho.example", "203.0.114.9"]),
      receives: "https://gancho.example",
      resolve: async () => ["203.0.114.9"],
    };
    expect(await because("https://gancho.example/in/token", own)).toBeNull();
    for (const other of ["/", "/api/in/x", "/in/../api/health/live", "/in/%2e%2e/api", "/IN/x"])
      expect([other, await because(`https://gancho.example${other}`, own)]).toEqual([
        other,
        "denied",
      ]);
    expect(await because("https://gancho.example:8443/in/token", own)).toBe("denied");
    expect(await because("https://other.gancho.example/in/token", own)).toBe("denied");
    const inside = { ...own, resolve: async () => ["10.0.0.1"] };
    expect(await because("https://gancho.example/in/token", inside)).toBe("not_public");
  });

  it("opens one port of this machine for the demo, and no other", async () => {
    const { port } = await receivers.enforcing("");
    const other = await receivers.enforcing("");
    const demo = { loopbackPort: port, deny: hostList(["localhost", "127.0.0.1"]) };
    for (const host of ["localhost", "hooks.localhost", "127.0.0.1"]) {
      expect(await because(`https://${host}:${port}/`, demo)).toBeNull();
      expect(await because(`https://${host}:${other.port}/`, demo)).not.toBeNull();
    }
    expect(await because(`https://10.0.0.1:${port}/`, demo)).toBe("not_public");
  });
});

describe("through a proxy", () => {
  let proxy: http.Server;
  let asked: string[];
  let answer: (socket: net.Socket, to: string) => void;
  beforeAll(async () => {
    asked = [];
    proxy = http.createServer();
    proxy.on("connect", (request, socket) => {
      asked.push(`${request.url} ${request.headers["proxy-authorization"] ?? ""}`);
      socket.on("error", () => undefined);
      answer(socket as net.Socket, request.url ?? "");
    });
    await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  });
  afterAll(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const through = (): Partial<EgressRules> => ({
    proxy: {
      host: "127.0.0.1",
      port: (proxy.address() as net.AddressInfo).port,
      authorization: new Secret("Basic eDp5"),
    },
    resolve: () => Promise.reject(new Error("the proxy resolves")),
  });

  it("asks it for the name, resolves nothing, and verifies TLS for the name", async () => {
    const { port } = await receivers.enforcing(value.reveal());
    answer = (socket, to) => {
      const onward = net.connect({ host: "127.0.0.1", port: Number(to.split(":")[1]) }, () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        socket.pipe(onward).pipe(socket);
      });
      onward.on("error", () => undefined);
    };
    const { outcome } = await post(port, value, through());
    expect(outcome).toMatchObject({ kind: "answered", status: 204 });
    expect(asked.splice(0)).toEqual([`hooks.example.com:${port} Basic eDp5`]);
  });

  it.each<[string, typeof answer, string]>([
    ["a refusal", (socket) => socket.end("HTTP/1.1 403 No\r\nx: y\r\n\r\n"), "proxy_refused"],
    ["a wrong password", (socket) => socket.end("HTTP/1.1 407 No\r\n\r\n"), "proxy_failed"],
    ["nonsense", (socket) => socket.end("nonsense\r\n\r\n"), "proxy_failed"],
    ["more", (socket) => socket.write("HTTP/1.1 200 OK\r\n\r\nearly"), "proxy_failed"],
    ["nothing", () => undefined, "connect_timeout"],
    ["a head without end", endlessHead, "proxy_failed"],
    ["announcements", endlessly("HTTP/1.1 100 Continue\r\n\r\n"), "proxy_refused"],
    [
      "a redirect",
      (socket) => socket.end("HTTP/1.1 302 x\r\nlocation: /\r\n\r\n"),
      "proxy_refused",
    ],
    ["an end", (socket) => socket.destroy(), "proxy_failed"],
    ["a tunnel that ends", (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"), "tls_failed"],
    [
      "no tunnel",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.once("data", () => socket.write("HTTP/1.1 400 No\r\n\r\n"));
      },
      "not_tls",
    ],
  ])(
    "ends with one that answers %s (threat: a proxy that holds a check)",
    async (_what, how, because) => {
      answer = how;
      const began = performance.now();
      const { outcome } = await post(443, value, through());
      expect(outcome).toMatchObject({ kind: "failed", because });
      expect(performance.now() - began).toBeLessThan(5_000);
    },
  );

  it("says that the proxy failed where nobody answers the dial (threat: each endpoint counts as down)", async () => {
    const dial = () => net.connect({ host: "proxy.example", port: 1, lookup: () => undefined });
    const { outcome } = await post(443, value, { ...through(), dial });
    expect(outcome).toMatchObject({ kind: "failed", because: "proxy_failed" });
  });

  it("still refuses denied names, names of this machine, and literals that are not public", async () => {
    const why = async (url: string) => {
      const found = await findEndpoint(
        url,
        rules({ ...through(), deny: hostList(["db.example"]) }),
      );
      return found.found ? null : found.because;
    };
    expect(await why("https://db.example/")).toBe("denied");
    for (const host of ["localhost", "127.0.0.1", "[::ffff:10.0.0.1]"])
      expect(await why(`https://${host}/`)).toBe("not_public");
  });
});
