import { Streamed } from "@/components/layout/streamed";
import type { Elements } from "@/components/ui/sentences";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { currentRequestId } from "@/lib/platform/log/request-note";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { openReading, type OpenReading } from "@/lib/webhooks/server/answer/read";
import type { ShownLook } from "@/lib/webhooks/server/observe/observed";
import { setTimeout as pause } from "node:timers/promises";
import type { ReactNode } from "react";

/** Milliseconds. So long a page waits for a reading where nothing is known yet, before it says so. */
const nothingKnownMs = 3_000;

export type ReadPage = {
  access: PartnerAccess<"webhooks.read">;
  environment: string;
  skeleton: ReactNode;
  /**
   * `reading`: what the server still reads; null from it: it could not. `look`: what the configuration shows; null where
   * it came later than the page.
   */
  screen: (
    configuration: Configuration,
    reading: Promise<Configuration | null> | null,
    look: ShownLook | null,
  ) => Promise<Elements>;
  /** There is nothing to show, not even an old state. `reading`: one that may still end. */
  unavailable: (problem: ProblemError, reading: Promise<unknown> | null) => Promise<Elements>;
};

/**
 * A page of what the payment service lists. What is known is there at once, with its age, and the reading comes into the
 * same boxes; then the browser's query takes over.
 */
export async function readPage(page: ReadPage) {
  const { shown, look, reading } = await openReading(page.access, page.environment, {
    requestId: currentRequestId(),
  }).catch(problemIn);
  const drawn = shown && (await drawnOf(page, shown, reading, look));
  return <Streamed fallback={page.skeleton} load={async () => drawn ?? drawnLate(page, reading)} />;
}

type Reading = OpenReading["reading"];

async function drawnLate(page: ReadPage, reading: Reading) {
  const late = new ProblemError("upstream_timeout");
  const read = await Promise.race([reading, pause(nothingKnownMs, late)]);
  if (!read) throw new Error("the reading failed, and nothing is known");
  return drawnOf(page, read, read === late ? reading : null);
}

function drawnOf(
  page: ReadPage,
  of: Configuration | ProblemError,
  reading: Reading,
  look: ShownLook | null = null,
) {
  return of instanceof ProblemError
    ? page.unavailable(of, reading && reading.then(() => null))
    : page.screen(of, reading && reading.then(configurationIn), look);
}

const configurationIn = (read: Configuration | ProblemError | null) =>
  read instanceof ProblemError ? null : read;

/** A reading that ended at once with a problem. */
function problemIn(thrown: unknown): { shown: ProblemError; look: null; reading: null } {
  if (!(thrown instanceof ProblemError)) throw thrown;
  return { shown: thrown, look: null, reading: null };
}
