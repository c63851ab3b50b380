"use client";

import type { AppliesTo, WebhookType } from "@/lib/webhooks/model/types";
import { useCallback } from "react";
import { ConflictNotice } from "./conflict";
import type { useWebhookSheet } from "./use-webhook-sheet";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import { Hourglass, RefreshCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { KeepsChecking } from "@/components/webhooks/list/open-saves";
import { ProblemText } from "@/components/forms/failure-notice";
import { TypeOutcomes } from "./saved-notice";
import { isUnresolved, type Outcome, type SubmitResult } from "./use-sheet-save";

type SheetSubmitResultProps = {
  sheet: ReturnType<typeof useWebhookSheet>;
  /** The label for saving these types. */
  labelOf: (appliesTo: AppliesTo) => string;
};

/** Above the fields, and scrolled into view: the outcome of the last attempt. */
export function SheetSubmitResult({ sheet, labelOf }: SheetSubmitResultProps) {
  const intoView = useCallback(
    (element: HTMLDivElement | null) => element?.scrollIntoView({ block: "nearest" }),
    [],
  );
  const { submitResult, attempt, working, checkAgain } = sheet.save;
  if (submitResult.kind === "none" || submitResult.kind === "confirm") return null;
  return (
    <div key={attempt} ref={intoView}>
      {submitResult.kind === "conflict" ? (
        <ConflictNotice overtaken={submitResult.overtaken} draft={sheet.draft} />
      ) : (
        <SubmitResultNotice
          submitResult={submitResult}
          working={working}
          labelOf={labelOf}
          onSaveRest={(type) => void sheet.saveRest(type)}
          onCheckAgain={(unresolved) => void checkAgain(unresolved)}
        />
      )}
    </div>
  );
}

type FailedSubmit = Extract<SubmitResult, { kind: "outcome" | "refused" | "never_sent" }>;

type SubmitResultNoticeProps = {
  submitResult: FailedSubmit;
  working: "saving" | "checking" | null;
  /** Saves the one missing type; named after it. */
  labelOf: (type: WebhookType) => string;
  onSaveRest: (type: WebhookType) => void;
  onCheckAgain: (unresolved: Outcome) => void;
};

/** A save that did not simply succeed: what happened, what changed, what to do next, what to quote. */
function SubmitResultNotice({ submitResult, ...rest }: SubmitResultNoticeProps) {
  switch (submitResult.kind) {
    case "refused":
      return <Refused problem={submitResult.problem} />;
    case "never_sent":
      return <NeverSent because={submitResult.because} />;
    case "outcome":
      return isUnresolved(submitResult) ? (
        <StillOpen {...rest} submitResult={submitResult} />
      ) : (
        <NotDone {...rest} {...submitResult} />
      );
  }
}

function Refused({ problem }: { problem: ClientProblem }) {
  const t = useTranslations("webhooks.result");
  return (
    <Notice role="alert" tone="bad" title={t("not_saved")}>
      <ProblemText problem={{ applied: "no", ...problem }} />
      <p className="mt-1">{t("draftKept")}</p>
      {problem.code === "signed_out" ? (
        <a
          href="/sign-in"
          target="_blank"
          rel="noreferrer"
          className="mt-1 inline-flex min-h-6 items-center font-medium text-brand underline"
        >
          {t("signIn")}
        </a>
      ) : null}
    </Notice>
  );
}

function NeverSent({ because }: Omit<Extract<SubmitResult, { kind: "never_sent" }>, "kind">) {
  const t = useTranslations("webhooks.result");
  return (
    <Notice role="alert" tone="bad" title={t("not_saved")}>
      <p>{t(`neverSent.${because}`)}</p>
      <p className="mt-1">{t("draftKept")}</p>
    </Notice>
  );
}

type NotDoneProps = Omit<SubmitResultNoticeProps, "submitResult"> &
  Pick<Outcome, "result" | "problem">;

function NotDone({ result, problem, working, labelOf, onSaveRest }: NotDoneProps) {
  const t = useTranslations("webhooks.result");
  if (!result) return null;
  const partial = result.outcome === "partial";
  // After an acknowledgement or an overtaking change nobody can say that nothing changed.
  const uncertain = {
    overtaken: t("overtakenText"),
    not_applied: t("notAppliedText"),
  }[result.outcome as string];
  const missing = partial
    ? result.results.filter(({ outcome }) => outcome === "not_saved" || outcome === "unknown")
    : [];
  return (
    <Notice role="alert" tone={partial || uncertain ? "warn" : "bad"} title={t(result.outcome)}>
      <div className="flex flex-col gap-2">
        {partial ? <TypeOutcomes results={result.results} /> : null}
        {uncertain ? (
          <p>{uncertain}</p>
        ) : problem === null ? null : (
          // For a partial save, "applied" could only say less than the lines above.
          <ProblemText problem={partial ? { ...problem, applied: undefined } : problem} />
        )}
        {missing.map(({ type }) => (
          <Button
            key={type}
            variant="primary"
            size="sm"
            className="self-start"
            pending={working === "saving"}
            disabled={working === "checking"}
            onClick={() => onSaveRest(type)}
          >
            {labelOf(type)}
          </Button>
        ))}
      </div>
    </Notice>
  );
}

type StillOpenProps = Omit<SubmitResultNoticeProps, "submitResult"> & { submitResult: Outcome };

/** It may have taken effect, or still do: the outcome so far, how long Gancho checks, and how to ask again. */
function StillOpen({ submitResult, working, onCheckAgain }: StillOpenProps) {
  const t = useTranslations("webhooks.result");
  const { result, problem, checked } = submitResult;
  const accepted = result?.outcome === "accepted";
  return (
    <Notice
      role={accepted ? "status" : "alert"}
      tone="warn"
      icon={accepted ? <Hourglass aria-hidden /> : undefined}
      title={t(accepted ? "accepted" : "unknown")}
    >
      <div className="flex flex-col gap-2">
        {result ? <TypeOutcomes results={result.results} /> : null}
        {accepted ? (
          <p>{t("notShownYet")}</p>
        ) : problem ? (
          <ProblemText problem={problem} next={t("lostNext")} />
        ) : (
          <p>
            {t("lost")} {t("lostNext")}
          </p>
        )}
        {result ? <KeepsChecking result={result} /> : null}
        {checked === null ? null : <p className="font-medium">{t(`asked.${checked}`)}</p>}
        <Button
          size="sm"
          className="self-start"
          icon={<RefreshCw aria-hidden />}
          pending={working === "checking"}
          disabled={working === "saving"}
          onClick={() => onCheckAgain(submitResult)}
        >
          {t("checkAgain")}
        </Button>
      </div>
    </Notice>
  );
}
