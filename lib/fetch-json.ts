import * as z from "zod/mini";
import { isProblemCode, type ProblemCode } from "./problem";

/** A problem as the browser reads it. Members that only some problems carry stay in `members`, unparsed. */
const problemSchema = z.object({
  status: z.number(),
  code: z.custom<ProblemCode>(isProblemCode),
  requestId: z.string(),
  detail: z.optional(z.string()),
  retryAfter: z.optional(z.number()),
  applied: z.optional(z.enum(["no", "unknown"])),
  errors: z.optional(z.array(z.object({ path: z.string(), code: z.string() }))),
});

export type ClientProblem = z.infer<typeof problemSchema> & { members: unknown };

/** How a request to the dashboard's own interface failed. */
export type Failure =
  | { kind: "problem"; problem: ClientProblem }
  /** No answer, or one that is not Gancho's: whether the request arrived is not known. */
  | { kind: "no_answer" };

export type JsonAnswer = { kind: "ok"; body: unknown } | Failure;

type JsonRequest = {
  /** Makes it a mutation. */
  body?: unknown;
  /** Of a mutation; POST where left out. */
  method?: "POST" | "PUT" | "PATCH" | "DELETE";
  /** Milliseconds for the whole exchange. */
  timeout: number;
  signal?: AbortSignal;
};

/** Asks the dashboard's own interface. Never throws, except when `signal` ends it. `path` is a path of ours. */
export async function fetchJson(path: string, request: JsonRequest): Promise<JsonAnswer> {
  const timeout = AbortSignal.timeout(request.timeout);
  try {
    const response = await fetch(path, {
      ...(request.body === undefined ? {} : mutation(request.method ?? "POST", request.body)),
      signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
      cache: "no-store",
      // An answer from elsewhere, such as a sign-in page in between, is not Gancho's.
      redirect: "error",
    });
    const body: unknown = await response.json();
    if (response.ok) return { kind: "ok", body };
    const problem = problemSchema.safeParse(body);
    return problem.success
      ? { kind: "problem", problem: { ...problem.data, members: body } }
      : { kind: "no_answer" };
  } catch (error) {
    if (request.signal?.aborted) throw error;
    return { kind: "no_answer" };
  }
}

function mutation(method: string, body: unknown): RequestInit {
  return {
    method,
    headers: { "content-type": "application/json", "x-requested-by": "gancho" },
    body: JSON.stringify(body),
  };
}
