"use client";

import { useHere } from "@/components/layout/here";
import { withKnownCodes, type FieldCode } from "@/lib/platform/http/model/field-errors";
import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import type { Configuration, NoResult, SaveResult } from "@/lib/webhooks/model/configuration";
import { overtakenTypes, type Overtaken } from "@/lib/webhooks/model/compare";
import type { Draft } from "@/lib/webhooks/model/draft";
import { mayHaveValue, registeredAmong } from "@/lib/webhooks/model/registered";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import {
  ambiguityIn,
  type Ambiguity,
  type SaveAnswer,
  type Why,
} from "@/lib/webhooks/client/save-answer";
import { isDone, isLookedFor } from "@/lib/webhooks/model/save-end";
import { useOperation } from "@/lib/webhooks/client/use-operation";
import { useSave } from "@/lib/webhooks/client/use-save";
import { useEffect, useEffectEvent, useState } from "react";
import type { Ended } from "./saved-notice";

/** A request and the draft that it came from. */
type Attempt = { request: SaveRequest; draft: Draft };

/** The result of the last attempt, if the person has to deal with it. */
export type SubmitResult =
  | { kind: "none" }
  | Outcome
  /** It ended as it would have closed the sheet, but something else was typed meanwhile. */
  | { kind: "ended"; done: Ended }
  | { kind: "refused"; problem: ClientProblem }
  /**
   * The browser was offline; or the response was lost and Gancho says that it sent nothing and will not (`none`), or
   * that the save became a proposal and how that ended.
   */
  | { kind: "never_sent"; reason: "offline" | Exclude<NoResult["outcome"], Undecided> }
  /** The configuration changed in the meantime. The form already compares with what is registered now. */
  | { kind: "conflict"; overtaken: Overtaken[] }
  | { kind: "confirm"; reason: Ambiguity; attempt: Attempt };

/** The outcome of a save that did not simply succeed. */
export type Outcome = {
  kind: "outcome";
  attempt: Attempt;
  /** Null if no response came. */
  result: SaveResult | null;
  problem: Why | null;
  /** What the last check of the outcome found; null if there was none. */
  checked: Undecided | "still_open" | "failed" | "signed_out" | null;
};

type Undecided = "in_progress" | "not_known";

/** Whether looking again may tell more: no look has shown it yet, or no response came. */
export function isUnresolved({ result }: Outcome): boolean {
  const outcome = result?.outcome ?? "unclear";
  return outcome === "accepted" || outcome === "unclear";
}

type SheetSave = {
  /** The configuration that the form compares with. */
  base: Configuration;
  /** The screen's configuration, which may be newer than `base`. */
  latest: Configuration;
  /** Replaces `base` with a newer configuration. */
  setBase: (configuration: Configuration) => void;
  /** Whether the form still holds this draft. */
  isStill: (sent: Draft) => boolean;
  onDone: (done: Ended) => void;
  onClose: () => void;
  onFields: (errors: { path: string; code: FieldCode }[]) => void;
};

const initial = { submitResult: { kind: "none" } as SubmitResult, attempt: 0 };

/** Sends a sheet's draft and keeps the outcome. One save at a time, however often the button is clicked. */
export function useSheetSave(sheet: SheetSave) {
  const { base, latest, setBase, isStill, onDone, onClose, onFields } = sheet;
  const { ref } = useHere();
  const save = useSave(ref);
  const readOperation = useOperation(ref);
  const [{ submitResult, attempt }, setState] = useState(initial);
  const [work, setWork] = useState<"saving" | "checking">("saving");
  const [sent, setSent] = useState<string | null>(null);
  const { pending, send: once } = useApiMutation((task: () => Promise<void>) => task());

  function setSubmitResult(next: SubmitResult) {
    setState((state) => ({ submitResult: next, attempt: state.attempt + 1 }));
  }

  /** Each attempt is an operation of its own, whose id finds the outcome. */
  function send({ request, draft }: Attempt) {
    return once(async () => {
      setWork("saving");
      const operation = crypto.randomUUID();
      setSent(operation);
      const attempt = { request: { ...request, operation }, draft };
      const answer = await save(attempt.request);
      setSubmitResult({ kind: "none" });
      switch (answer.kind) {
        case "recorded":
          return showRecorded(answer, attempt, null);
        case "refused":
          return showRefused(answer, attempt);
        case "unsent":
          return setSubmitResult({ kind: "never_sent", reason: "offline" });
        case "lost":
          return showOutcome({ attempt, result: null, problem: answer.problem, checked: null });
      }
    });
  }

  function showRefused(
    { problem, configuration }: Extract<SaveAnswer, { kind: "refused" }>,
    attempt: Attempt,
  ) {
    if (configuration) setBase(configuration);
    if (problem.code === "invalid_fields" && problem.errors?.length)
      return onFields(withKnownCodes(problem.errors));
    if (problem.code === "stale_revision" && configuration)
      return setSubmitResult({ kind: "conflict", overtaken: overtakenTypes(base, configuration) });
    const reason = ambiguityIn(problem);
    setSubmitResult(reason ? { kind: "confirm", reason, attempt } : { kind: "refused", problem });
  }

  function showRecorded(
    { result, problem }: Extract<SaveAnswer, { kind: "recorded" }>,
    attempt: Attempt,
    checked: Outcome["checked"],
  ) {
    if (result.outcome === "waiting" || isDone(result)) return end(result, attempt);
    // Part of the draft may be saved, so the next attempt starts from that.
    if (result.configuration) setBase(result.configuration);
    showOutcome({ attempt, result, problem, checked });
  }

  /** Any reading may end a save, also while the person edits the next one. */
  function end(result: Ended, { draft }: Attempt) {
    const rotates =
      draft.authorization.action === "replace" &&
      registeredAmong(base, draft.type).some(mayHaveValue);
    const done = { ...result, typed: draft.url, rotates };
    onDone(done);
    if (isStill(draft)) return onClose();
    if (result.configuration) setBase(result.configuration);
    setSubmitResult({ kind: "ended", done });
  }

  function showOutcome(outcome: Omit<Outcome, "kind">) {
    setSubmitResult({ kind: "outcome", ...outcome });
  }

  /** Reads the outcome of an unresolved save. Sends nothing again. */
  function checkAgain(before: Outcome) {
    return once(async () => {
      setWork("checking");
      const answer = await readOperation(before.attempt.request.operation ?? "");
      if (answer.kind === "failed") {
        const { failure } = answer;
        const isSignedOut = failure.kind === "problem" && failure.problem.code === "signed_out";
        return setSubmitResult({ ...before, checked: isSignedOut ? "signed_out" : "failed" });
      }
      if (answer.kind === "recorded") {
        const problem = answer.problem && (before.problem ?? answer.problem);
        return showRecorded({ ...answer, problem }, before.attempt, "still_open");
      }
      const { outcome } = answer;
      if (outcome === "in_progress" || outcome === "not_known")
        return setSubmitResult({ ...before, checked: outcome });
      setBase(answer.configuration);
      setSubmitResult({ kind: "never_sent", reason: outcome });
    });
  }

  // Any reading may settle the save: once the screen no longer lists it as open, this asks how it ended.
  const followed =
    submitResult.kind === "outcome" && submitResult.result && isLookedFor(submitResult.result)
      ? submitResult
      : null;
  const ended = followed !== null && isPast(followed, latest);
  const onEnded = useEffectEvent(() => followed && void checkAgain(followed));
  useEffect(() => {
    if (ended) onEnded();
  }, [ended]);

  return {
    submitResult,
    /** Counts the results, so that the same text twice is announced twice. */
    attempt,
    clear: () => setSubmitResult({ kind: "none" }),
    working: pending ? work : null,
    /** The id of the save in progress. */
    operation: pending && work === "saving" ? sent : null,
    send,
    checkAgain,
  };
}

/** Whether a reading newer than the save's own no longer lists the save as open. */
function isPast({ result }: Outcome, latest: Configuration): boolean {
  const since = result?.configuration?.epoch ?? Infinity;
  const isOpen = latest.openSaves.some((save) => save.operation === result?.operation);
  return latest.epoch > since && !isOpen;
}
