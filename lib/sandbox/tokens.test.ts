import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { expect, test } from "vitest";
import { createTokens } from "./tokens";

const key = new Uint8Array(32).fill(7);
const start = Date.parse("2026-01-31T12:00:00.500Z");
const tokensAt = (time: number, ttl = 1800) => createTokens({ key, ttl, now: () => time });

test("a token is a signed JWT that names its client and ends after its time", async () => {
  const issued = await tokensAt(start).issue("partner");
  expect(issued).toMatchObject({ token_type: "Bearer", expires_in: 1800 });
  expect(decodeProtectedHeader(issued.access_token)).toEqual({ alg: "HS256", typ: "JWT" });
  const issuedAt = Math.floor(start / 1000);
  expect(decodeJwt(issued.access_token)).toMatchObject({
    sub: "partner",
    iat: issuedAt,
    exp: issuedAt + 1800,
  });
  expect(await tokensAt(start).verify(issued.access_token)).toBe("partner");
});

const now = Math.floor(start / 1000);
const claims: JWTPayload = {
  sub: "partner",
  iss: "gancho-sandbox",
  aud: "partner-payment-api",
  iat: now,
  exp: now + 1800,
};
const signed = (payload: JWTPayload, by: Uint8Array = key, alg = "HS256") =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(by);

const without = (claim: string) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => name !== claim));
const unsigned = () => {
  const { sub = "", iss = "", aud = "" } = claims;
  return new UnsecuredJWT({ sub, iss, aud }).setExpirationTime(now + 1800).encode();
};

test.each<[string, () => string | Promise<string>, string | null]>([
  ["but not one signed like ours", () => signed(claims), "partner"],
  ["signed with another key", () => signed(claims, new Uint8Array(32).fill(8)), null],
  ["not signed at all (alg none)", unsigned, null],
  [
    "signed with our key by another algorithm",
    () => signed(claims, new Uint8Array(64).fill(7), "HS512"),
    null,
  ],
  ...["sub", "exp", "iss", "aud"].map((claim): [string, () => Promise<string>, null] => [
    `without its ${claim}`,
    () => signed(without(claim)),
    null,
  ]),
])("a forged token is refused: %s", async (_what, token, client) => {
  expect(await tokensAt(start).verify(await token())).toBe(client);
});
