import "server-only";
import { log } from "@/lib/platform/log/log";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { processWide } from "@/lib/platform/runtime/process-wide";
import * as z from "zod/mini";

const text = z.optional(z.string());

/**
 * What a browser sends (CSP 3, 5.3), as far as it is looked at. Anybody can send it, with anything in it: it is for whoever
 * reads the log, and nothing is decided by it. What a page showed, or an address carried, is not taken over.
 */
export const violationSchema = z.object({
  "csp-report": z.object({
    "effective-directive": text,
    "violated-directive": text,
    "blocked-uri": text,
    "document-uri": text,
    "source-file": text,
    disposition: text,
  }),
});
type Violation = z.infer<typeof violationSchema>;

/** For all callers of this process together: a fault of ours is told by a few, and a flood by none. */
const atMost = { reports: 60, windowMs: 60_000, kinds: 100 };

type Told = { windowEndsAt: number; reports: number; kinds: Set<string> };
const told = () =>
  processWide("policy-violations", (): Told => ({ windowEndsAt: 0, reports: 0, kinds: new Set() }));

/** Before anything is read. Throws `too_many_requests`. */
export function takeReport(now = Date.now()): void {
  const state = told();
  if (now >= state.windowEndsAt) {
    state.windowEndsAt = now + atMost.windowMs;
    state.reports = 0;
  }
  state.reports += 1;
  if (state.reports <= atMost.reports) return;
  const retryAfter = Math.ceil((state.windowEndsAt - now) / 1_000);
  throw new ProblemError("too_many_requests", { applied: "no", retryable: true, retryAfter });
}

/** One line in the log for each kind of violation that this process is told of; up to some number of kinds. */
export function noteViolation(
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
  const { kinds } = told();
  const key = JSON.stringify([kind.directive, kind.blocked, kind.script]);
  if (kinds.has(key) || kinds.size >= atMost.kinds) return;
  kinds.add(key);
  log.warn({ requestId, ...kind }, "a browser says that a page's policy was violated");
  if (kinds.size === atMost.kinds)
    log.warn({ requestId }, "further kinds of violations are not logged until the next start");
}

function directiveOf(said = ""): string | null {
  return /^[a-z-]{1,40}/.exec(said)?.[0] ?? null;
}

/** What CSP calls by a word instead of an address. */
const words: ReadonlySet<string> = new Set([
  "inline",
  "eval",
  "wasm-eval",
  "trusted-types-policy",
  "trusted-types-sink",
]);

/** A word, or whose address it was; of the address itself nothing, which may hold what is nobody else's business. */
function blockedOf(said = ""): string | null {
  if (words.has(said)) return said;
  const url = URL.canParse(said) ? new URL(said) : null;
  if (!url) return null;
  return (url.origin === "null" ? url.protocol : url.origin).slice(0, 100);
}

/** Of our own addresses, the path. */
function pathOf(said: string | undefined, origin: string): string | null {
  const url = said !== undefined && URL.canParse(said) ? new URL(said) : null;
  return url?.origin === origin ? url.pathname.slice(0, 120) : null;
}
