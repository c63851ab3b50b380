import type { ClientProblem } from "./client-problem";

export type { ClientProblem } from "./client-problem";

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
    // Only a failure needs to be taken apart: what that takes is not part of a page's first load.
    const { readProblem } = await import("./client-problem");
    const problem = readProblem(body);
    return problem ? { kind: "problem", problem } : { kind: "no_answer" };
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
