import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { startOpenIdProvider } from "@/lib/platform/auth/testing/openid-provider";
import { discover } from "./discovery";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  }
});

/** A server at a separate address with a configurable answer. */
async function listening(answer: (issuer: string) => RequestListener): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on("request", answer(issuer));
  return issuer;
}

const saying = (metadata: (issuer: string) => object) =>
  listening((issuer) => (_request, response) => response.end(JSON.stringify(metadata(issuer))));

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  };
}

it("finds the endpoints of a real provider", async () => {
  const provider = await startOpenIdProvider("http://localhost/api/auth/callback/oidc");
  expect(await discover(provider.issuer)).toMatchObject({
    outcome: "found",
    metadata: { issuer: provider.issuer, token_endpoint: `${provider.issuer}/token` },
  });
  await provider.stop();
});

it("believes no provider that calls itself another (threat: one speaks for the other)", async () => {
  const issuer = await saying((own) => ({ ...metadataOf(own), issuer: "https://id.example" }));
  expect(await discover(issuer)).toMatchObject({ outcome: "failed", reason: "misconfigured" });
});

it("takes a slash at the end for a difference, as providers do", async () => {
  const issuer = await saying((own) => metadataOf(own));
  expect(await discover(`${issuer}/`)).toMatchObject({ reason: "misconfigured" });
});

it("uses no endpoint without TLS elsewhere (threat: codes and secrets in the clear)", async () => {
  const issuer = await saying((own) => ({
    ...metadataOf(own),
    token_endpoint: "http://id.example/token",
  }));
  expect(await discover(issuer)).toMatchObject({ reason: "misconfigured" });
});

it.each([
  ["no JSON", 200, "<html>", "misconfigured"],
  ["metadata without endpoints", 200, '{"issuer":"x"}', "misconfigured"],
  ["that there is no such page", 404, "", "misconfigured"],
  ["a redirect", 302, "", "misconfigured"],
  ["that it is ill", 503, "", "provider_unreachable"],
  ["more than metadata can be", 200, "x".repeat(300_000), "provider_unreachable"],
])("tells what to make of an answer that says %s", async (_what, status, body, reason) => {
  const issuer = await listening(
    () => (_request, response) =>
      response.writeHead(status, { location: "https://id.example" }).end(body),
  );
  expect(await discover(issuer)).toMatchObject({ outcome: "failed", reason });
});

it("says so when nobody is there", async () => {
  const issuer = await listening(() => (_request, response) => response.destroy());
  expect(await discover(issuer)).toMatchObject({ reason: "provider_unreachable" });
});

it("sends one request for all who wait, and another after an hour", async () => {
  let asked = 0;
  const issuer = await listening((own) => (_request, response) => {
    asked++;
    response.end(JSON.stringify(metadataOf(own)));
  });
  await Promise.all(Array.from({ length: 20 }, () => discover(issuer)));
  expect(asked).toBe(1);
  await discover(issuer, Date.now() + 61 * 60_000);
  expect(asked).toBe(2);
});

it("retries a provider that failed soon, but not for every click", async () => {
  let asked = 0;
  const issuer = await listening((own) => (_request, response) => {
    asked++;
    response.writeHead(asked === 1 ? 503 : 200).end(JSON.stringify(metadataOf(own)));
  });
  await discover(issuer);
  await discover(issuer);
  expect(asked).toBe(1);
  expect(await discover(issuer, Date.now() + 6_000)).toMatchObject({ outcome: "found" });
});
