import { createTestAuthority } from "@/lib/tools/certificates";
import { nginxProgram } from "@/lib/tools/test/required-programs";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientAddress, startNginx } from "./nginx";

const installed = nginxProgram() !== null;

it.skipIf(installed)("is not tested, since nginx is not installed", () => {
  // Fails nothing: the test run reports it by this name.
});

describe.runIf(installed)("the proxy as deploy/nginx.conf and docs/operate.md have it", () => {
  type Arrived = { url: string; headers: IncomingHttpHeaders; bytes: number };
  const arrived: Arrived[] = [];
  const gancho = createServer((asked, answer) => {
    let bytes = 0;
    asked.on("data", (chunk: Buffer) => (bytes += chunk.length));
    asked.on("end", () => {
      arrived.push({ url: asked.url ?? "", headers: asked.headers, bytes });
      answer.writeHead(204).end();
    });
  });
  let proxy: Awaited<ReturnType<typeof startNginx>>;
  let client: Agent;

  beforeAll(async () => {
    await new Promise<void>((resolve) => gancho.listen(0, "127.0.0.1", resolve));
    const { port } = gancho.address() as AddressInfo;
    const authority = createTestAuthority();
    client = new Agent({ connect: { ca: authority.ca } });
    proxy = await startNginx({
      certificate: authority.issue({ names: ["localhost"] }),
      ports: [port, port],
      folder: mkdtempSync(path.join(tmpdir(), "gancho-nginx-")),
    });
  });
  afterAll(async () => {
    await client.close();
    await proxy.stop();
    gancho.closeAllConnections();
    gancho.close();
  });

  const send = async (url: string, bytes: number) => {
    const { statusCode, body } = await request(url, {
      dispatcher: client,
      method: "POST",
      headers: { "X-Forwarded-For": "203.0.113.9", "X-Request-Id": "chosen" },
      body: Buffer.alloc(bytes, "a"),
    });
    await body.dump();
    return statusCode;
  };

  it.each(["url", "captureUrl"] as const)(
    "says who sent a message of 256 KB by its %s, and keeps its path to itself",
    async (which) => {
      const sent = `${proxy[which]}/in/token-of-${which}`;
      expect(await send(sent, 256 * 1024)).toBe(204);
      const { url, headers, bytes } = arrived.at(-1) ?? {};
      expect({ url, bytes }).toEqual({ url: `/in/token-of-${which}`, bytes: 256 * 1024 });
      // Gancho trusts the last one.
      expect(headers?.["x-forwarded-for"]).toBe(`203.0.113.9, ${clientAddress}`);
      expect(headers?.host).toBe("localhost");
      expect(headers?.["x-request-id"]).toMatch(/^[0-9a-f]{32}$/);
      expect(await send(sent, 256 * 1024 + 1)).toBe(413);
      // The log has what comes after it, and by then would have it.
      await send(`${proxy.url}/after-${which}`, 1);
      await expect.poll(() => readFileSync(proxy.accessLog, "utf8")).toContain(`/after-${which}`);
      expect(readFileSync(proxy.accessLog, "utf8")).not.toContain("token-of");
    },
  );

  it("leads nothing but that from the address of CAPTURE to Gancho", async () => {
    const before = arrived.length;
    expect(await send(`${proxy.captureUrl}/api/health/live`, 1)).toBe(404);
    expect(arrived).toHaveLength(before);
  });
});
