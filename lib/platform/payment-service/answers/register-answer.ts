import "server-only";
import type { Secret } from "@/lib/platform/runtime/secret";
import { judgeBadBody, judgeFailure, type Judgement } from "./judgement";
import type { WireAnswer } from "@/lib/platform/payment-service/transport/transport";

/**
 * What an answer of the registration means, section 4.3. The body of a 200 is not shown in the contract, so no body is
 * looked into; only that the answer came to its end counts.
 */
export function judgeRegister(
  answer: WireAnswer,
  secrets: readonly Secret[],
): Judgement<200 | 201> {
  if (answer.kind === "failed" || (answer.status !== 200 && answer.status !== 201)) {
    return judgeFailure("register", answer, secrets);
  }
  if (answer.body.state === "cut" || answer.body.state === "late") {
    return judgeBadBody("register", answer, { again: false });
  }
  return { kind: "done", value: answer.status };
}
