import "server-only";
import { outboundDispatcher } from "@/lib/platform/egress/outbound";
import { readBounded } from "@/lib/platform/runtime/bounded-body";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import { request } from "undici";
import * as z from "zod";
import { metadataAddress, requireOwnMetadata } from "./attempt";

const timeoutMs = 5_000;
const maxBytes = 256 * 1024;
/** A provider may move its keys to another address. */
const keptMs = 60 * 60_000;

const metadata = z.object({ issuer: z.string(), jwks_uri: z.string() });

type Known = { keys: JWTVerifyGetKey; until: number };
const known = () => processWide("oidc-keys", () => new Map<string, Known>());
const dispatcher = () => processWide("oidc-dispatcher", () => outboundDispatcher());

/**
 * The provider's keys for signatures. Read once an hour at most, or where a signature names one that is not among them,
 * and then not again for half a minute. Throws where the provider does not answer with its metadata.
 */
export async function providerKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const had = known().get(issuer);
  if (had && performance.now() < had.until) return had.keys;
  const { jwks_uri, ...own } = metadata.parse(await readJson(metadataAddress(issuer)));
  requireOwnMetadata({ ...own, jwks_uri }, issuer);
  const keys = createRemoteJWKSet(new URL(jwks_uri), {
    cooldownDuration: 30_000,
    [customFetch]: async (address) => Response.json(await readJson(address)),
  });
  known().set(issuer, { keys, until: performance.now() + keptMs });
  return keys;
}

async function readJson(address: string): Promise<unknown> {
  const answer = await request(address, {
    dispatcher: dispatcher(),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const body = await readBounded(answer.body, maxBytes);
  if (answer.statusCode !== 200) throw new Error(`the provider answers ${answer.statusCode}`);
  return JSON.parse(body?.toString() ?? "");
}
