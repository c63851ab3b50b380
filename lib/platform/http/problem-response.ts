import "server-only";
import { isDatabaseUnavailable } from "@/lib/platform/database/unavailable";
import { problemBody, ProblemError, type Problem } from "@/lib/platform/http/model/problem";

/** RFC 9457. Retry-After is repeated as a header, where generic clients look for it. */
export function problemResponse(problem: Problem): Response {
  return Response.json(problem, {
    status: problem.status,
    headers: {
      "content-type": "application/problem+json",
      ...(problem.retryAfter === undefined ? {} : { "retry-after": String(problem.retryAfter) }),
      // What may be left of the body would stand before the connection's next request.
      ...(problem.code === "body_too_large" ? { connection: "close" } : {}),
    },
  });
}

/** Seconds. By then what fell silent has been given up, and most servers that fail over have done so. */
const databaseRetryAfter = 5;

/** What was thrown, as a problem. Anything unexpected is `internal_error` and says nothing of the inside. */
export function toProblem(thrown: unknown, requestId: string): Problem {
  if (thrown instanceof ProblemError) return problemBody(thrown.code, requestId, thrown.init);
  if (isDatabaseUnavailable(thrown))
    return problemBody("database_unavailable", requestId, {
      retryable: true,
      retryAfter: databaseRetryAfter,
      ...(thrown.applied && { applied: thrown.applied }),
    });
  return problemBody("internal_error", requestId, { retryable: true });
}
