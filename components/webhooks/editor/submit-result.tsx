"use client";

import { type AppliesTo, typesOf } from "@/lib/platform/payment-service/contract/terms";
import type { useWebhookSheet } from "./use-webhook-sheet";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Hourglass, RefreshCw } from "lucide-react";
import { useTranslations, useFormatter } from "next-intl";
import { KeepsChecking } from "@/components/webhooks/list/open-saves";
import { ProblemText } from "@/components/forms/failure-notice";
import { intoView } from "@/components/ui/focus-content";
import { SavedNotice, TypeOutcomes } from "./saved-notice";
import { isUnresolved, type Outcome, type SubmitResult } from "./use-sheet-save";
import { RelativeTime } from "@/components/ui/time";
import { overwrittenAuthors, type Overtaken } from "@/lib/webhooks/model/compare";
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
    <Notice role="alert" tone="bad" title={t("not_saved")}>
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

/** A save that ended without full success: what changed and what to do next. */
function UnsuccessfulSave({ outcome: { result, problem }, sheet, labelOf }: OutcomeProps) {
  const t = useTranslations("webhooks.result");
  const { working } = sheet.save;
  if (!result) return null;
  const partial = result.outcome === "partial";
  // If the service accepted the save, or another change overtook it, something may have changed.
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
          // For a partial save, the list above says more than "applied" could.
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
            onClick={() => void sheet.saveRest(type)}
          >
            {labelOf(type)}
          </Button>
        ))}
      </div>
    </Notice>
  );
}

/** A save that may have taken effect or may still do: the outcome so far, and a button to check again. */
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
 * Says what changed in the meantime, and by whom. The form now compares with what is registered; in the sheet's footer,
 * the choice between the two versions replaces the save button.
 */
function ConflictNotice({ overtaken, draft }: ConflictProps) {
  const t = useTranslations("webhooks");
  return (
    <Notice role="alert" tone="warn" title={t("result.not_saved")}>
      <p>{t("conflict.text")}</p>
      <ul className="mt-1 flex flex-col">
        {overtaken.map(({ type: of, change }) => {
          const type = t(`types.${of}`);
          const time = () => <RelativeTime at={change?.at ?? ""} />;
          return (
            <li key={of}>
              {!change
                ? t("conflict.changed", { type })
                : change.by === null
                  ? t.rich(change.onlyValue ? "conflict.otherValue" : "conflict.changedOutside", {
                      type,
                      time,
                    })
                  : t.rich("conflict.changedBy", { type, name: change.by, time })}
              {typesOf(draft.type).includes(of) ? null : ` ${t("conflict.untouched")}`}
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

/** The two ways to resolve a conflict. The button that overwrites names whose change it overwrites. */
export function ConflictChoice(props: ConflictChoiceProps) {
  const { overtaken, draft, proposeLabel, pending, onKeepMine, onTakeTheirs } = props;
  const t = useTranslations("webhooks.conflict");
  const format = useFormatter();
  const authors = overwrittenAuthors(overtaken, draft).map((name) => name ?? t("unknownClient"));
  return (
    <>
      <Button disabled={pending} onClick={onTakeTheirs}>
        {t("takeTheirs")}
      </Button>
      <Button variant="primary" pending={pending} onClick={onKeepMine}>
        {proposeLabel ??
          (authors.length > 0
            ? t("overwriteOf", { names: format.list(authors), count: authors.length })
            : t("keepMine"))}
      </Button>
    </>
  );
}
