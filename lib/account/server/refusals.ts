import "server-only";
import { fieldErrorTitles, type FieldCode } from "@/lib/platform/http/model/field-errors";
import { ProblemError } from "@/lib/platform/http/model/problem";

/** `path`: of the field in the request. */
export function fieldRefused(path: string, code: FieldCode): ProblemError {
  const errors = [{ path, code, message: fieldErrorTitles[code] }];
  return new ProblemError("invalid_fields", { applied: "no", errors });
}

export function tooMany(retryAfter: number): ProblemError {
  return new ProblemError("too_many_requests", { applied: "no", retryable: true, retryAfter });
}
