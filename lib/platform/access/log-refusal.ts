import "server-only";
import { readSession } from "@/lib/platform/auth/sessions/read-session";
import { clientAddress } from "@/lib/platform/http/model/request-context";
import { log } from "@/lib/platform/log/log";
import { problemCatalogue } from "@/lib/platform/http/model/problem";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";

/** Longer than any of our addresses: bounds what a caller's address adds to a line. */
const maxLength = 120;

const refusing: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/** Whether a person may not do, see or repeat the request; not that the request was malformed. */
export function isRefusal(code: ProblemCode): boolean {
  return refusing.has(problemCatalogue[code].status);
}

/** The request, in our names. Only the beginning of `params` and `path`, which callers write, is logged. */
type RefusedRequest = {
  requestId?: string;
  method?: string;
  route?: string;
  params?: Record<string, string | string[] | undefined>;
  path?: string;
  status?: number;
  ms?: number;
};

/**
 * One line for a refused request: what, who and from where (OWASP ASVS 16.2.1, 16.3.2). Contains nothing of a body, a
 * query or a header but the address. Being signed out is ordinary, so that is no warning.
 */
export async function logRefusal(
  code: ProblemCode,
  { params = {}, path, ...request }: RefusedRequest,
  headers: Headers,
): Promise<void> {
  const line = {
    ...request,
    ...(path !== undefined && { path: short(path.split("?")[0]) }),
    params: Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, short(value)] as const),
    ),
    code,
    userId: await currentUserId(),
    clientAddress: clientAddress(headers),
  };
  if (code === "signed_out") log.info(line, "refused");
  else log.warn(line, "refused");
}

function short(value: string | string[] | undefined): string {
  return String(value).slice(0, maxLength);
}

/** null also where it cannot be determined: the refusal holds, and is logged, all the same. */
async function currentUserId(): Promise<string | null> {
  try {
    return (await readSession())?.userId ?? null;
  } catch {
    return null;
  }
}
