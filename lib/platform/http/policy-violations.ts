import "server-only";
import { log } from "@/lib/platform/log/log";
import { requireRoomHere } from "@/lib/platform/limits/limits";
import { processWide } from "@/lib/platform/runtime/process-wide";
import * as z from "zod/mini";

const field = z.optional(z.string());

/**
 * What a browser sends (CSP 3, 5.3), as far as it is read. Anybody can send it, with any content: it is for readers of
 * the log, and decides nothing. It leaves out the content of pages and addresses.
 */
export const violationSchema = z.object({
  "csp-report": z.object({
    "effective-directive": field,
    "violated-directive": field,
    "blocked-uri": field,
    "document-uri": field,
    "source-file": field,
    disposition: field,
  }),
});
type Violation = z.infer<typeof violationSchema>;

/** For all browsers together: a few reports are enough to show a fault of ours, and a flood shows no more. */
const atMost = { key: "policy violations", most: 60, seconds: 60 };
const maxKinds = 100;

const knownKinds = () => processWide("policy-violations", () => new Set<string>());

/** Before anything is read. Throws `too_many_requests`. */
export function takeReport(now = Date.now()): void {
  requireRoomHere(atMost, now);
}

/** One line in the log for each kind of violation that is reported to this process; up to some number of kinds. */
export function recordViolation(
  { "csp-report": report }: Violation,
  { origin, requestId }: { origin: string; requestId: string },
): void {
  const kind = {
    directive: directiveOf(report["effective-directive"] ?? report["violated-directive"]),
    blocked: blockedOf(report["blocked-uri"]),
    page: pathOf(report["document-uri"], origin),
    script: pathOf(report["source-file"], origin),
    enforced: report.disposition !== "report",
  };
  const kinds = knownKinds();
  const key = JSON.stringify([kind.directive, kind.blocked, kind.script]);
  if (kinds.has(key) || kinds.size >= maxKinds) return;
  kinds.add(key);
  log.warn({ requestId, ...kind }, "a browser says that a page's policy was violated");
  if (kinds.size === maxKinds)
    log.warn({ requestId }, "further kinds of violations are not logged until the next start");
}

function directiveOf(text = ""): string | null {
  return /^[a-z-]{1,40}/.exec(text)?.[0] ?? null;
}

/** CSP's keywords in place of an address. */
const words: ReadonlySet<string> = new Set([
  "inline",
  "eval",
  "wasm-eval",
  "trusted-types-policy",
  "trusted-types-sink",
]);

/** A keyword, or the origin of an address; the address itself may hold private data. */
function blockedOf(text = ""): string | null {
  if (words.has(text)) return text;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) return null;
  return (url.origin === "null" ? url.protocol : url.origin).slice(0, 100);
}

/** For our addresses, the path. */
function pathOf(text: string | undefined, origin: string): string | null {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : null;
  return url?.origin === origin ? url.pathname.slice(0, 120) : null;
}
