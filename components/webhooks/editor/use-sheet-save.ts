"use client";

import type { FieldCode } from "@/lib/platform/http/model/field-errors";
import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import type { Configuration, NoResult, SaveResult } from "@/lib/webhooks/model/configuration";
import { overtakenTypes, type Overtaken } from "@/lib/webhooks/model/compare";
import type { Draft } from "@/lib/webhooks/model/draft";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import {
  type Ambiguity,
  type OperationAnswer,
  type SaveAnswer,
  type Why,
} from "@/lib/webhooks/client/save-answer";
import { endedAfterError, isAddressOnly } from "@/lib/webhooks/client/save-end";
import { useOperation } from "@/lib/webhooks/client/use-operation";
import { useSave } from "@/lib/webhooks/client/use-save";
import { useEffect, useEffectEvent, useState } from "react";
import type { Done } from "./saved-notice";

/** The request, and the draft it came from. */
export type Attempt = { request: SaveRequest; draft: Draft };

/** The problem of the last attempt that the person has to deal with. */
export type SubmitResult =
  | { kind: "none" }
  /** Partly saved, not saved, or not seen while Gancho followed it; the problem says why. */
  | { kind: "not_done"; result: SaveResult; problem: Why }
  | { kind: "refused"; problem: ClientProblem }
  /**
   * The browser had no network; or the answer was lost, and Gancho says that it neither sent nor will send any of it, or
   * how the proposal ended that it became.
   */
  | {
      kind: "never_sent";
      because:
        "offline" | "void" | Exclude<NoResult["outcome"], "none" | "in_progress" | "not_known">;
    }
  | Unresolved
  /** What the person sees is already what is registered now. */
  | { kind: "conflict"; overtaken: Overtaken[] }
  | { kind: "confirm"; reason: Ambiguity; attempt: Attempt };

/** Accepted, unknown, or without an answer: it may have taken effect, or still do. */
export type Unresolved = {
  kind: "unresolved";
  attempt: Attempt;
  operation: string;
  /** Null where no answer came. */
  result: SaveResult | null;
  problem: Why | null;
  /** The last attempt to read its outcome. */
  check: "not_yet" | "in_progress" | "not_known" | "still_open" | "failed";
};

type SheetSave = {
  environmentRef: { partner: string; environment: string };
  /** What the person sees. */
  base: Configuration;
  /** As the screen has it now, which may be newer than what the person sees. */
  latest: Configuration;
  /** Replaces what the person sees with something newer. */
  setBase: (configuration: Configuration) => void;
  onDone: (done: Done) => void;
  onFields: (errors: { path: string; code: FieldCode }[]) => void;
};

/** Sends a sheet's draft and keeps the outcome. One at a time, however often the button is pressed. */
export function useSheetSave(sheet: SheetSave) {
  const { environmentRef, base, latest, setBase, onDone, onFields } = sheet;
  const save = useSave(environmentRef.partner, environmentRef.environment);
  const readOperation = useOperation(environmentRef.partner, environmentRef.environment);
  const [{ submitResult, attempt }, setState] = useState<{
    submitResult: SubmitResult;
    attempt: number;
  }>({
    submitResult: { kind: "none" },
    attempt: 0,
  });
  const [work, setWork] = useState<"saving" | "checking">("saving");
  const [sent, setSent] = useState<string | null>(null);
  const { pending, send: once } = useApiMutation((task: () => Promise<void>) => task());

  function setSubmitResult(next: SubmitResult) {
    setState((state) => ({ submitResult: next, attempt: state.attempt + 1 }));
  }

  /** Each press is an operation of its own; its id finds the outcome. */
  function send({ request, draft }: Attempt) {
    return once(async () => {
      setWork("saving");
      const operation = crypto.randomUUID();
      setSent(operation);
      const attempt = { request: { ...request, operation }, draft };
      handleAnswer(await save(attempt.request), attempt, operation);
    });
  }

  function handleAnswer(answer: SaveAnswer, attempt: Attempt, operation: string) {
    setSubmitResult({ kind: "none" });
    switch (answer.kind) {
      case "pending":
        setBase(answer.configuration);
        return setSubmitResult({ kind: "refused", problem: answer.problem });
      case "fields":
        return onFields(answer.errors);
      case "stale":
        setBase(answer.configuration);
        return setSubmitResult({
          kind: "conflict",
          overtaken: overtakenTypes(base, answer.configuration),
        });
      case "confirm":
        return setSubmitResult({ kind: "confirm", reason: answer.reason, attempt });
      case "refused":
        return setSubmitResult(answer);
      case "unsent":
        return setSubmitResult({ kind: "never_sent", because: "offline" });
      case "lost": {
        const { problem } = answer;
        return setSubmitResult(unresolved(attempt, operation, { result: null, problem }));
      }
      default:
        return handleResult(answer, attempt, operation);
    }
  }

  function handleResult(
    answer: Extract<SaveAnswer, { kind: "done" | "waiting" | "accepted" | "not_done" }>,
    attempt: Attempt,
    operation: string,
    /** The outcome was not known before. */
    wasUncertain = false,
  ) {
    const { kind, result } = answer;
    if (kind === "waiting") return onDone(result);
    // Nothing is open, and nothing more can be found out.
    if (isAddressOnly(result)) return onDone({ ...result, typed: attempt.draft.url });
    if (kind === "done") {
      const afterError = endedAfterError(result) || (wasUncertain && result.outcome === "saved");
      return onDone({ ...result, typed: attempt.draft.url, afterError });
    }
    // Part of it may be saved by now: the next attempt starts from there.
    if (result.configuration) setBase(result.configuration);
    const problem = kind === "not_done" ? answer.problem : null;
    if (result.outcome === "accepted" || result.outcome === "unknown")
      return setSubmitResult(unresolved(attempt, operation, { result, problem }));
    setSubmitResult({ kind: "not_done", result, problem: problem ?? { code: "not_saved" } });
  }

  /** Asks for the outcome of a save that was not known to have ended. Sends nothing again. */
  function checkAgain(before: Unresolved) {
    return once(async () => {
      setWork("checking");
      handleChecked(await readOperation(before.operation), before);
    });
  }

  function handleChecked(answer: OperationAnswer, before: Unresolved) {
    switch (answer.kind) {
      case "failed":
        return setSubmitResult({ ...before, check: "failed" });
      case "in_progress":
      case "not_known":
        return setSubmitResult({ ...before, check: answer.kind });
      case "none":
        setBase(answer.configuration);
        return setSubmitResult({ kind: "never_sent", because: "void" });
      case "rejected":
      case "withdrawn":
      case "replaced":
      case "expired":
        setBase(answer.configuration);
        return setSubmitResult({ kind: "never_sent", because: answer.kind });
      case "accepted":
      case "not_done": {
        const { result } = answer;
        if (result.outcome === "accepted" || result.outcome === "unknown") {
          if (result.configuration) setBase(result.configuration);
          if (isAddressOnly(result)) return handleResult(answer, before.attempt, before.operation);
          const problem = answer.kind === "not_done" ? (before.problem ?? answer.problem) : null;
          return setSubmitResult({ ...before, result, problem, check: "still_open" });
        }
        return handleResult(answer, before.attempt, before.operation, true);
      }
      default: {
        // The approver's save has a doubt of its own, if any.
        const isOwn = answer.result.operation === before.operation;
        const wasUncertain = isOwn && before.result?.outcome !== "accepted";
        return handleResult(answer, before.attempt, before.operation, wasUncertain);
      }
    }
  }

  // Any reading may show its end: once the screen no longer lists it as open, this asks how it ended.
  const followed =
    submitResult.kind === "unresolved" && submitResult.result?.open ? submitResult : null;
  const ended = followed !== null && isPast(followed, latest);
  const onEnded = useEffectEvent(() => followed && void checkAgain(followed));
  useEffect(() => {
    if (ended) onEnded();
  }, [ended]);

  return {
    submitResult,
    /** Another number for each: the same words twice are two announcements. */
    attempt,
    clear: () => setSubmitResult({ kind: "none" }),
    working: pending ? work : null,
    /** The save in progress. */
    operation: pending && work === "saving" ? sent : null,
    send,
    checkAgain,
  };
}

function unresolved(
  attempt: Attempt,
  operation: string,
  { result, problem }: Pick<Unresolved, "result" | "problem">,
): Unresolved {
  return { kind: "unresolved", attempt, operation, result, problem, check: "not_yet" };
}

/** A reading newer than the one the save ended with no longer lists it as open. */
function isPast({ result }: Unresolved, latest: Configuration): boolean {
  const since = result?.configuration?.epoch ?? Infinity;
  // The approver's, where the change waited for one.
  const isOpen = latest.openSaves.some((save) => save.operation === result?.operation);
  return latest.epoch > since && !isOpen;
}
