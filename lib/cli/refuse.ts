import { problemBody } from "@/lib/platform/http/model/problem";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import english from "@/lib/platform/i18n/messages/en/problems.json";
import portuguese from "@/lib/platform/i18n/messages/pt-BR/problems.json";
import { newRequestId, requestNote } from "@/lib/platform/log/request-note";
import type { ServerResponse } from "node:http";

type Refused = Extract<
  ProblemCode,
  "too_many_requests" | "overloaded" | "internal_error" | "database_unavailable"
>;

/** Refuses a request before any of it is done: one for data with a problem, one for a page in words. */
export function refuse(
  response: ServerResponse,
  code: Refused,
  { isData, retryAfter }: { isData: boolean; retryAfter: number },
): void {
  response.setHeader("retry-after", retryAfter);
  response.setHeader("cache-control", "no-store");
  const requestId = requestNote()?.requestId ?? newRequestId();
  const problem = problemBody(code, requestId, { applied: "no", retryable: true, retryAfter });
  const [type, body] = isData
    ? ["application/problem+json", JSON.stringify(problem)]
    : ["text/plain; charset=utf-8", wordsOf(code).join("\n\n") + "\n"];
  response.writeHead(problem.status, { "content-type": type }).end(body);
}

/** In both languages: nothing is known of who asks. */
export function wordsOf(code: Refused): [english: string, portuguese: string] {
  const inWords = ({ title, next }: { title: string; next: string }) => `${title} ${next}`;
  return [inWords(english[code]), inWords(portuguese[code])];
}
