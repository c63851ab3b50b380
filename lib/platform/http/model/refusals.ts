import { fieldErrorTitles, type FieldCode } from "./field-errors";
import { ProblemError } from "./problem";

/** One field of a change was refused, at this path in the request; nothing was changed. */
export function fieldRefused(path: string, code: FieldCode): ProblemError {
  const errors = [{ path, code, message: fieldErrorTitles[code] }];
  return new ProblemError("invalid_fields", { applied: "no", errors });
}

/** Too many, so nothing was changed; there is room again in so many seconds. */
export function tooMany(retryAfter: number): ProblemError {
  return new ProblemError("too_many_requests", { applied: "no", retryable: true, retryAfter });
}
