"use client";

import { type AppliesTo, typesOf } from "@/lib/platform/payment-service/contract/terms";
import { Sentences } from "@/components/ui/sentences";
import type { useWebhookSheet } from "./use-webhook-sheet";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Hourglass, RefreshCw } from "lucide-react";
import { useTranslations, useFormatter } from "next-intl";
import { ProblemText } from "@/components/forms/failure-notice";
import { intoView } from "@/components/ui/focus-content";
import { SaidOfTypes, SavedNotice } from "./saved-notice";
import { isUnresolved, type Outcome, type SubmitResult } from "./use-sheet-save";
import { AbsoluteTime } from "@/components/ui/time";
import { overwrittenAskers, type Overtaken } from "@/lib/webhooks/model/compare";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import type { Draft } from "@/lib/webhooks/model/draft";

type SheetSubmitResultProps = {
  sheet: ReturnType<typeof useWebhookSheet>;
  /** What the screen shows now. */
  configuration: Configuration;
  /** The label for a button that saves these types; each type missing after a partial save gets one. */
  labelOf: (appliesTo: AppliesTo) => string;
};

/** The outcome of an attempt that did not simply succeed, above the fields and scrolled into view. */
export function SheetSubmitResult(props: SheetSubmitResultProps) {
  const { submitResult, attempt } = props.sheet.save;
  if (submitResult.kind === "none" || submitResult.kind === "confirm") return null;
  return (
    <div key={attempt} ref={intoView}>
      {submitResult.kind === "conflict" ? (
        <ConflictNotice overtaken={submitResult.overtaken} draft={props.sheet.draft} />
      ) : submitResult.kind === "ended" ? (
        <SavedNotice
          result={submitResult.done}
          configuration={props.configuration}
          onDismiss={props.sheet.save.clear}
        />
      ) : submitResult.kind === "refused" || submitResult.kind === "never_sent" ? (
        <NotSaved result={submitResult} />
      ) : isUnresolved(submitResult) ? (
        <UnresolvedSave {...props} outcome={submitResult} />
      ) : (
        <UnsuccessfulSave {...props} outcome={submitResult} />
      )}
    </div>
  );
}

type NotSavedProps = { result: Extract<SubmitResult, { kind: "refused" | "never_sent" }> };

function NotSaved({ result }: NotSavedProps) {
  const t = useTranslations("webhooks.result");
  const isSignedOut = result.kind === "refused" && result.problem.code === "signed_out";
  return (
    <Notice role="alert" tone="bad" title={t("not_sent")}>
      {result.kind === "refused" ? (
        <ProblemText problem={{ applied: "no", ...result.problem }} />
      ) : (
        <p>{t(`neverSent.${result.reason}`)}</p>
      )}
      <p className="mt-1">{t("draftKept")}</p>
      {isSignedOut ? <SignIn /> : null}
    </Notice>
  );
}

/** In a new tab, so that what the person entered stays. */
function SignIn() {
  const t = useTranslations("webhooks.result");
  return (
    <a
      href="/sign-in"
      target="_blank"
      rel="noreferrer"
      className="mt-1 inline-flex min-h-6 items-center self-start font-medium text-brand underline"
    >
      {t("signIn")}
    </a>
  );
}

type OutcomeProps = SheetSubmitResultProps & { outcome: Outcome };

/** A save that was not sent, refused or not shown: what was seen, and what to do next. */
function UnsuccessfulSave({ outcome: { result, problem }, sheet, labelOf }: OutcomeProps) {
  const t = useTranslations("webhooks.result");
  const { working } = sheet.save;
  if (!result) return null;
  const isAlone = result.results.every(({ outcome }) => outcome === result.outcome);
  const missing = isAlone
    ? []
    : result.results.filter(({ outcome }) => outcome === "not_sent" || outcome === "refused");
  return (
    <Notice role="alert" tone={isAlone ? "bad" : "warn"} title={t(result.outcome)}>
      <div className="flex flex-col gap-2">
        <SaidOfTypes results={result.results} />
        {problem === null || result.outcome === "not_shown" ? null : (
          // Where something was sent, what is said of the types tells more than "applied" could.
          <ProblemText
            problem={
              isAlone && result.outcome === "not_sent"
                ? problem
                : { ...problem, applied: undefined }
            }
          />
        )}
        {missing.map(({ type }) => (
          <Button
            key={type}
            variant="primary"
            size="sm"
            className="self-start"
            pending={working === "saving"}
            disabled={working === "checking"}
            onClick={() => void sheet.saveRest(type)}
          >
            {labelOf(type)}
          </Button>
        ))}
      </div>
    </Notice>
  );
}

/** A save that no look has shown yet, or whose answer did not come: what is known so far, and a button to look again. */
function UnresolvedSave({ outcome, sheet }: OutcomeProps) {
  const t = useTranslations("webhooks.result");
  const { result, problem, checked } = outcome;
  const { working, checkAgain } = sheet.save;
  const accepted = result?.outcome === "accepted";
  return (
    <Notice
      role={accepted ? "status" : "alert"}
      tone="warn"
      icon={accepted ? <Hourglass aria-hidden /> : undefined}
      title={t(accepted ? "accepted" : "unclear")}
    >
      <div className="flex flex-col gap-2">
        {result && result.results.length > 0 ? (
          <>
            <SaidOfTypes results={result.results} />
            {accepted ? null : <p>{t("lostNext")}</p>}
          </>
        ) : problem ? (
          <ProblemText problem={problem} next={t("lostNext")} />
        ) : (
          <p>{`${t("lost")} ${t("lostNext")}`}</p>
        )}
        {checked === null ? null : <p className="font-medium">{t(`asked.${checked}`)}</p>}
        {checked === "signed_out" ? <SignIn /> : null}
        <Button
          size="sm"
          className="self-start"
          icon={<RefreshCw aria-hidden />}
          pending={working === "checking"}
          disabled={working === "saving"}
          onClick={() => void checkAgain(outcome)}
        >
          {t("checkAgain")}
        </Button>
      </div>
    </Notice>
  );
}

type ConflictProps = { overtaken: readonly Overtaken[]; draft: Draft };

/**
 * Says what is shown differently by now, and who asked for it here. The form now compares with what is registered; in
 * the sheet's footer, the choice between the two versions replaces the save button.
 */
function ConflictNotice({ overtaken, draft }: ConflictProps) {
  const t = useTranslations("webhooks");
  return (
    <Notice role="alert" tone="warn" title={t("result.not_sent")}>
      <p>{t("conflict.text")}</p>
      <ul className="mt-1 flex flex-col">
        {overtaken.map(({ type: of, now }) => {
          const type = t(`types.${of}`);
          const time = () => <AbsoluteTime at={now?.shownSince ?? ""} />;
          return (
            <li key={of}>
              <Sentences
                of={[
                  !now
                    ? t("conflict.notListed", { type })
                    : now.askedBy
                      ? t.rich("conflict.askedBy", { type, name: now.askedBy.name, time })
                      : t.rich("conflict.askedByNobody", { type, time }),
                  typesOf(draft.type).includes(of) ? null : t("conflict.untouched"),
                ]}
              />
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

type ConflictChoiceProps = ConflictProps & {
  /** The button's text if it overwrites nothing yet, since a second person has to approve. */
  proposeLabel: string | null;
  pending: boolean;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
};

/** The two ways to resolve a conflict. The button that overwrites names who asked for what it overwrites. */
export function ConflictChoice(props: ConflictChoiceProps) {
  const { overtaken, draft, proposeLabel, pending, onKeepMine, onTakeTheirs } = props;
  const t = useTranslations("webhooks.conflict");
  const format = useFormatter();
  const askers = overwrittenAskers(overtaken, draft);
  return (
    <>
      <Button disabled={pending} onClick={onTakeTheirs}>
        {t("takeTheirs")}
      </Button>
      <Button variant="primary" pending={pending} onClick={onKeepMine}>
        {proposeLabel ??
          (askers.length > 0 ? t("overwriteOf", { names: format.list(askers) }) : t("keepMine"))}
      </Button>
    </>
  );
}
