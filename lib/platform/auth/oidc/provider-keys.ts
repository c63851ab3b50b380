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

/** Anybody can send what takes a read: a provider that fails is not asked for each of it. */
const failedMs = 5_000;

const known = () =>
  processWide("oidc-keys", () => new Map<string, () => Promise<JWTVerifyGetKey>>());
const dispatcher = () => processWide("oidc-dispatcher", () => outboundDispatcher());

/**
 * The provider's keys for signatures. Read once an hour at most, or where a signature names one that is not among them,
 * and then not again for half a minute; after a failure not for some seconds. Throws where the provider does not answer
 * with its metadata.
 */
export function providerKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const reads = known().get(issuer) ?? shared(() => readMetadata(issuer), keptMs);
  known().set(issuer, reads);
  return reads();
}

async function readMetadata(issuer: string): Promise<JWTVerifyGetKey> {
  const { jwks_uri, ...own } = metadata.parse(await readJson(metadataAddress(issuer)));
  requireOwnMetadata({ ...own, jwks_uri }, issuer);
  // The library knows when it needs them again, but asks after each failure.
  const readKeys = shared(() => readJson(jwks_uri), 0);
  return createRemoteJWKSet(new URL(jwks_uri), {
    cooldownDuration: 30_000,
    [customFetch]: async () => Response.json(await readKeys()),
  });
}

/** One read for all who ask meanwhile, whose value is kept; a failure is kept for some seconds. */
function shared<Value>(read: () => Promise<Value>, keptMs: number): () => Promise<Value> {
  let last: { value: Promise<Value>; until: number } | null = null;
  return () => {
    if (last && performance.now() < last.until) return last.value;
    const own = { value: read(), until: Infinity };
    const keepFor = (ms: number) => () => {
      own.until = performance.now() + ms;
    };
    own.value.then(keepFor(keptMs), keepFor(failedMs));
    last = own;
    return own.value;
  };
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
