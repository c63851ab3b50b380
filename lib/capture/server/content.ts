import "server-only";
import { captureLimits } from "@/lib/capture/model/capture";
import type { Executor } from "@/lib/platform/database/open";
import { clientAddressHeader } from "@/lib/platform/http/model/request-context";
import { eventKinds } from "@/lib/platform/payment-service/contract/terms";
import { decodeUtf8 } from "@/lib/platform/runtime/bounded-body";
import { Secret } from "@/lib/platform/runtime/secret";
import { decryptFor, encryptFor } from "@/lib/platform/secrets/field";
import * as z from "zod/mini";

/** What is kept of a message, encrypted as one. */
const contentSchema = z.object({
  method: z.string(),
  from: z.nullable(z.string()),
  authorization: z.enum(["equal", "other", "none", "not_known", "not_compared"]),
  headers: z.array(z.object({ name: z.string(), value: z.nullable(z.string()) })),
  bytes: z.number(),
  events: z.array(z.string()),
  isCheck: z.boolean(),
  text: z.string(),
  isBase64: z.boolean(),
});
export type Content = z.infer<typeof contentSchema>;

/** Of these the value is kept; of any other header, only the name: the value may be a secret or its proof. */
const harmless =
  /^(?:accept(?:-.*)?|cache-control|connection|content-(?:encoding|length|type)|date|host|te|transfer-encoding|user-agent|via|x-request-id|idempotency-key|webhook-(?:id|timestamp)|ce-.*)$/;

/**
 * Headers that this process has added: its server removes what a caller sends under these names (lib/cli/clean-headers.ts),
 * and then the framework adds its own.
 */
const added = /^x-forwarded-/;

/** By name. */
export function keptHeaders(headers: Headers): Content["headers"] {
  return [...headers]
    .filter(([name]) => name !== clientAddressHeader && !added.test(name))
    .map(([name, value]) => ({ name, value: harmless.test(name) ? value : null }));
}

/** Kept as text where it is UTF-8; a character that the end of what is kept divides is left out. */
export function keptBody(start: Uint8Array): Pick<Content, "text" | "isBase64"> {
  const isCut = start.length === captureLimits.keptBytes;
  for (const less of isCut ? [0, 1, 2, 3] : [0]) {
    const text = decodeUtf8(start.subarray(0, start.length - less));
    if (text !== null) return { text, isBase64: false };
  }
  return { text: Buffer.from(start).toString("base64"), isBase64: true };
}

const own = z.object({ event: z.literal("endpoint-check"), partner: z.string(), note: z.string() });

/** What a body says of itself: the kinds of event among its values, and whether it is an endpoint check of this partner. */
export function readBody(text: string, partnerId: string): { events: string[]; isCheck: boolean } {
  const values = new Set<unknown>();
  try {
    const json: unknown = JSON.parse(text, (_key, value: unknown) => {
      values.add(value);
      return value;
    });
    const { data } = own.safeParse(json);
    const kinds: readonly string[] = Object.values(eventKinds).flat();
    return {
      events: kinds.filter((kind) => values.has(kind)),
      isCheck: data?.partner === partnerId,
    };
  } catch {
    return { events: [], isCheck: false };
  }
}

const identity = (captureId: string, number: number) => ({
  table: "arrivals",
  row: `${captureId} ${number}`,
  column: "content",
});

type Place = { partnerId: string; captureId: string; number: number };

export function sealContent(db: Executor, at: Place, content: Content): Promise<string> {
  const place = identity(at.captureId, at.number);
  return encryptFor(db, at.partnerId, place, new Secret(JSON.stringify(content)));
}

export async function openContent(db: Executor, at: Place, ciphertext: string): Promise<Content> {
  const place = identity(at.captureId, at.number);
  const opened = await decryptFor(db, at.partnerId, place, ciphertext);
  return contentSchema.parse(JSON.parse(opened.reveal()));
}
