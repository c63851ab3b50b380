"use client";

import type { FieldCode } from "@/lib/field-errors";
import type { ClientProblem } from "@/lib/fetch-json";
import type { Configuration, SaveResult, WaitingResult } from "@/lib/webhooks/configuration";
import type { Draft } from "@/lib/webhooks/draft";
import { configurationQuery } from "@/lib/webhooks/query";
import type { SaveRequest } from "@/lib/webhooks/rules/save-request";
import {
  isDone,
  type Ambiguity,
  type DoneResult,
  type SaveAnswer,
} from "@/lib/webhooks/save-answer";
import { settledResult, waitingResult, type UnsettledSave } from "@/lib/webhooks/settled";
import { useSave } from "@/lib/webhooks/use-save";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

/** What is sent, and what it came from. */
export type Attempt = {
  request: SaveRequest;
  draft: Draft;
  /** What the person was looking at. */
  opened: Configuration;
};

/** What the last attempt left behind for the person to deal with. */
export type Aftermath =
  | { kind: "none" }
  /** Partly saved or not saved; the problem says why. */
  | {
      kind: "not_done";
      result: SaveResult;
      problem: Pick<ClientProblem, "code"> & Partial<ClientProblem>;
    }
  | { kind: "refused"; problem: ClientProblem }
  | {
      kind: "unsettled";
      save: UnsettledSave;
      result: SaveResult | null;
      problem: ClientProblem | null;
      /** What looking again brought. */
      looked: "not_yet" | "not_recorded" | "still_unknown" | "still_old";
    }
  | { kind: "conflict"; now: Configuration }
  | { kind: "confirm"; reason: Ambiguity; attempt: Attempt };

type SheetSave = {
  place: { partner: string; environment: string };
  /** Puts something newer in the place of what the person is looking at. */
  setBase: (configuration: Configuration) => void;
  onDone: (result: DoneResult | WaitingResult) => void;
  onFields: (errors: { path: string; code: FieldCode }[]) => void;
};

/** Sends a sheet's draft and keeps what came of it. One at a time, whatever is pressed how often. */
export function useSheetSave({ place, setBase, onDone, onFields }: SheetSave) {
  const client = useQueryClient();
  const { mutateAsync } = useSave(place.partner, place.environment);
  const [{ aftermath, attempt }, setState] = useState<{ aftermath: Aftermath; attempt: number }>({
    aftermath: { kind: "none" },
    attempt: 0,
  });
  const [pending, setPending] = useState(false);
  const busy = useRef(false);

  function setAftermath(next: Aftermath) {
    setState((state) => ({ aftermath: next, attempt: state.attempt + 1 }));
  }

  async function once(work: () => Promise<void>) {
    if (busy.current) return;
    busy.current = true;
    setPending(true);
    try {
      await work();
    } finally {
      busy.current = false;
      setPending(false);
    }
  }

  function send(attempt: Attempt) {
    return once(async () => settle(await mutateAsync(attempt.request), attempt));
  }

  function settle(answer: SaveAnswer, attempt: Attempt) {
    setAftermath({ kind: "none" });
    switch (answer.kind) {
      case "done":
      case "waiting":
        return onDone(answer.result);
      case "pending":
        setBase(answer.configuration);
        return setAftermath({ kind: "refused", problem: answer.problem });
      case "fields":
        return onFields(answer.errors);
      case "not_done":
        return settleResult(answer.result, answer.problem, attempt);
      case "stale":
        return setAftermath({ kind: "conflict", now: answer.configuration });
      case "confirm":
        return setAftermath({ kind: "confirm", reason: answer.reason, attempt });
      case "refused":
        return setAftermath(answer);
      case "lost": {
        const { problem } = answer;
        const save = unsettled(attempt, problem?.requestId ?? null);
        return setAftermath({ kind: "unsettled", save, result: null, problem, looked: "not_yet" });
      }
    }
  }

  function settleResult(result: SaveResult, problem: ClientProblem, attempt: Attempt) {
    // Part of it may be saved by now: the next attempt starts from there.
    if (result.configuration) setBase(result.configuration);
    if (result.outcome !== "unknown") return setAftermath({ kind: "not_done", result, problem });
    const save = unsettled(attempt, result.requestId);
    setAftermath({ kind: "unsettled", save, result, problem, looked: "not_yet" });
  }

  /** Looks again how a save ended that was not known before. Nothing is sent again. */
  function checkAgain(before: Extract<Aftermath, { kind: "unsettled" }>) {
    return once(async () => {
      const query = configurationQuery(place.partner, place.environment);
      const fresh = await client.fetchQuery({ ...query, staleTime: 0 }).catch(() => null);
      if (!fresh || fresh.stale) return setAftermath({ ...before, looked: "still_old" });
      const result = settledResult(before.save, fresh);
      if (result && isDone(result)) return onDone(result);
      const waiting = waitingResult(before.save, fresh);
      if (waiting) return onDone(waiting);
      setBase(fresh);
      // A save whose result came was recorded; by now newer entries may have taken its place.
      if (!result && !before.result) {
        return setAftermath({ ...before, looked: "not_recorded" });
      }
      if (!result || result.outcome === "unknown") {
        return setAftermath({ ...before, looked: "still_unknown" });
      }
      const code = result.outcome === "partial" ? "partly_saved" : "not_saved";
      setAftermath({ kind: "not_done", result, problem: { code } });
    });
  }

  return {
    aftermath,
    /** Another number for each: the same words twice are two announcements. */
    attempt,
    clear: () => setAftermath({ kind: "none" }),
    pending,
    send,
    checkAgain,
  };
}

function unsettled({ draft, opened }: Attempt, requestId: string | null): UnsettledSave {
  return { requestId, draft, opened };
}
