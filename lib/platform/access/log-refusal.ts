import "server-only";
import { readSession } from "@/lib/platform/auth/sessions/read-session";
import { clientAddress } from "@/lib/platform/http/model/request-context";
import { log } from "@/lib/platform/log/log";
import { loggedPath } from "@/lib/platform/log/request-note";
import { problemCatalogue } from "@/lib/platform/http/model/problem";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";

const refusing: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/** Whether a person may not do, see or repeat the request; not that the request was malformed. */
export function isRefusal(code: ProblemCode): boolean {
  return refusing.has(problemCatalogue[code].status);
}

/** The request, in our names. */
type RefusedRequest = {
  requestId?: string;
  method?: string;
  path: string;
  status?: number;
  ms?: number;
};

/**
 * One line for a refused request: what, who and from where (OWASP ASVS 16.2.1, 16.3.2). Contains nothing of a body, a
 * query or a header but the address. Being signed out is ordinary, so that is no warning.
 */
export async function logRefusal(
  code: ProblemCode,
  { path, ...request }: RefusedRequest,
  headers: Headers,
): Promise<void> {
  const line = {
    ...request,
    path: loggedPath(path.split("?")[0] ?? ""),
    code,
    userId: await currentUserId(),
    clientAddress: clientAddress(headers),
  };
  if (code === "signed_out") log.info(line, "refused");
  else log.warn(line, "refused");
}

/** null also where it cannot be determined: the refusal holds, and is logged, all the same. */
async function currentUserId(): Promise<string | null> {
  try {
    return (await readSession())?.userId ?? null;
  } catch {
    return null;
  }
}
