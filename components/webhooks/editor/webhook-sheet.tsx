"use client";

import { listOf } from "@/components/webhooks/types-list";
import { ApprovalFields } from "@/components/approvals/approval-fields";
import { CaptureOffer } from "@/components/capture/capture-offer";
import { TypedCheck } from "@/components/endpoint-check/typed-check";
import type { EndpointChecks } from "@/components/endpoint-check/use-endpoint-checks";
import { FailureNotice } from "@/components/forms/failure-notice";
import { useHere } from "@/components/layout/here";
import { EnvironmentBadge } from "@/components/layout/nav/environment-badge";
import { Button, Spinner } from "@/components/ui/button";
import { Segmented } from "@/components/forms/choice";
import { Sheet } from "@/components/ui/sheet";
import { diffOf, submitEffect } from "@/lib/webhooks/model/compare";
import { effectiveDraft, sheetModeOf } from "@/lib/webhooks/model/draft";
import { movedTypes } from "@/lib/webhooks/model/keeping";
import { missingMayBeRegistered } from "@/lib/webhooks/model/registered";
import { exposureOf, leadsBack } from "@/lib/webhooks/model/exposure";
import {
  limits,
  type AppliesTo,
  typesOf,
  type WebhookType,
  webhookTypes,
} from "@/lib/platform/payment-service/contract/terms";
import { useTranslations } from "next-intl";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { ChangePreview, ExposedValueNotice, NewOriginNotice, SourceNotice } from "./sheet-notices";
import { AuthorizationField } from "./authorization-field";
import { SheetField } from "./sheet-field";
import { checkCallbackTarget } from "@/lib/webhooks/model/rules/callback-target";
import { findEditButton } from "@/components/webhooks/list/find-edit-button";
import { ConflictChoice, SheetSubmitResult } from "./submit-result";
import { isUnresolved } from "./use-sheet-save";
import { useWebhookSheet } from "./use-webhook-sheet";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { sourceQuery } from "@/lib/webhooks/client/query";
import { type FetchedSource, parseFetchedSource } from "@/lib/webhooks/model/sheet-address";
import type { Source } from "@/lib/webhooks/model/source";
import { type Configuration, saveSteps } from "@/lib/webhooks/model/configuration";
import { saveStepQuery } from "@/lib/webhooks/client/save-step";
import { Check, Circle } from "lucide-react";

type WebhookSheetProps = Omit<Parameters<typeof useWebhookSheet>[0], "source"> & {
  endpointChecks: EndpointChecks;
  /** The state of `useOpenSheet`. */
  sheetState: {
    /** The URL has changed while something is unsaved. */
    leaving: boolean;
    setDirty: (dirty: boolean) => void;
    stay: () => void;
  };
};

/**
 * Fetches the versions that the sheet's URL names before it renders the form, so that a draft never changes while
 * somebody edits it.
 */
export function WebhookSheet(props: WebhookSheetProps) {
  const from = parseFetchedSource(props.address.from);
  return from ? <FetchedSheet {...props} from={from} /> : <LoadedSheet {...props} source={null} />;
}

function FetchedSheet({ from, ...props }: WebhookSheetProps & { from: FetchedSource }) {
  const t = useTranslations();
  const { partner, environment } = useHere().ref;
  const { data, error, isFetching, refetch } = useQuery(sourceQuery(partner, environment, from));
  if (data) return <LoadedSheet {...props} source={data} />;
  return (
    <Sheet
      title={t(`webhooks.sheet.${sheetModeOf(props.configuration, props.address)}`)}
      description={<EnvironmentBadge environment={environment} />}
      onCloseRequest={props.onClose}
      returnTo={() => findEditButton(props.address.type)}
      footer={
        <>
          <Button variant="ghost" onClick={props.onClose}>
            {t("common.close")}
          </Button>
          {error ? (
            <Button pending={isFetching} onClick={() => void refetch()}>
              {t("common.tryAgain")}
            </Button>
          ) : null}
        </>
      }
    >
      {error ? (
        <FailureNotice
          failure={error.failure}
          title={t("webhooks.source.failed")}
          unreachable={t("webhooks.source.unreachable")}
        />
      ) : (
        <p aria-busy className="text-ink-2">
          {t("webhooks.source.loading")}
        </p>
      )}
    </Sheet>
  );
}

type LoadedSheetProps = WebhookSheetProps & { source: Source | null };

function LoadedSheet({ sheetState, ...input }: LoadedSheetProps) {
  const t = useTranslations();
  const formId = useId();
  const { environment } = useHere();
  const sheet = useWebhookSheet(input);
  const { onClose } = input;
  const { base, form, draft, save } = sheet;
  const { working, submitResult } = save;
  const saving = working === "saving";
  const checking = working === "checking";
  const unresolved = submitResult.kind === "outcome" && isUnresolved(submitResult);
  const words = useSheetWords(base);
  const { approval, asked } = sheet;
  const isWithout = asked === "registers_without_value" || asked === "removes_value";
  const diffs = diffOf(base, effectiveDraft(base, draft));
  const hasUrl = draft.url.trim() !== "";
  const changesNothing = hasUrl && diffs.every(({ effect }) => effect === "keep");
  const nothingId = useId();
  const submitLabel = approval
    ? t(`webhooks.proposal.sheet.${isWithout ? "submitWithout" : "submit"}`)
    : words(isWithout ? "submitWithout" : "submit", draft.type);

  const exposure = exposureOf(base, typesOf(draft.type));
  const [confirmsLeaving, setConfirmsLeaving] = useState(false);
  const isTyped = form.formState.isDirty || Boolean(approval?.reason.trim());
  const unsaved = isTyped || working !== null || unresolved;
  const { setDirty } = sheetState;
  useEffect(() => setDirty(unsaved), [unsaved, setDirty]);
  useUnloadGuard(unsaved);

  function requestClose() {
    if (saving) return;
    if (unsaved) setConfirmsLeaving(true);
    else onClose();
  }

  const conflicts = submitResult.kind === "conflict";
  // If a save's outcome is unknown, "nothing was saved" would be a guess.
  const leaveWords = unresolved ? "closeUnsettled" : "discard";
  const preview = (
    <ChangePreview diffs={diffs} hasUrl={hasUrl} nothingId={changesNothing ? nothingId : null} />
  );
  return (
    <>
      <Sheet
        title={t(`webhooks.sheet.${sheetModeOf(base, input.address)}`)}
        description={
          <>
            <EnvironmentBadge environment={environment} />{" "}
            <span>
              {approval ? t("webhooks.proposal.sheet.description") : words("effect", draft.type)}
            </span>
          </>
        }
        onCloseRequest={requestClose}
        returnTo={() => findEditButton(input.address.type)}
        onOpened={() => form.setFocus("url")}
        footer={
          <>
            {/* Always there, so that screen readers announce new content. */}
            <div aria-live="polite" className="basis-full text-small text-ink-2 empty:absolute">
              {checking ? <span>{t("webhooks.result.checking")}</span> : null}
              {saving && approval ? <span>{t("webhooks.proposal.sheet.sending")}</span> : null}
              {save.operation && !approval ? <SaveSteps operation={save.operation} /> : null}
            </div>
            <Button variant="ghost" disabled={saving} onClick={requestClose}>
              {t(unresolved ? "common.close" : "common.cancel")}
            </Button>
            {submitResult.kind === "conflict" ? (
              <ConflictChoice
                pending={saving}
                overtaken={submitResult.overtaken}
                draft={draft}
                proposeLabel={approval ? submitLabel : null}
                onKeepMine={sheet.keepMine}
                onTakeTheirs={sheet.takeTheirs}
              />
            ) : (
              <Button
                // A submit without changes reads the registered state, then says that nothing had to change.
                variant={changesNothing ? "secondary" : "primary"}
                type="submit"
                form={formId}
                pending={saving}
                disabled={checking}
                aria-describedby={changesNothing ? nothingId : undefined}
                // A double click must not answer the question that its first click raised.
                onClick={(event) => event.detail > 1 && event.preventDefault()}
                onKeyDown={(event) => event.repeat && event.preventDefault()}
              >
                {submitLabel}
              </Button>
            )}
          </>
        }
      >
        <form
          id={formId}
          noValidate
          autoComplete="off"
          className="flex flex-col gap-6"
          onSubmit={sheet.submit}
        >
          <SourceNotice
            address={sheet.address}
            source={input.source}
            type={draft.type}
            exposed={exposure !== null}
          />
          <SheetSubmitResult
            sheet={sheet}
            configuration={input.configuration}
            labelOf={(type) => words("submit", type)}
          />
          {conflicts ? preview : null}
          <Segmented
            label={t("webhooks.sheet.appliesTo")}
            value={draft.type}
            onChange={(type) => {
              if (working === null) sheet.changeType(type);
            }}
            options={[...webhookTypes, "both" as const].map((type) => ({
              value: type,
              label: t(`webhooks.types.${type}`),
            }))}
          />
          <SheetField
            form={form}
            name="url"
            value={draft.url}
            check={checkCallbackTarget(draft.url, input.policy)}
            limit={limits.callbackUrl}
            input={{ inputMode: "url" }}
            readOnly={saving}
          />
          <CaptureOffer
            type={draft.type}
            url={draft.url}
            maySwitch={input.isAdmin}
            onUse={(url) => form.setValue("url", url, { shouldDirty: true, shouldValidate: true })}
          />
          {input.endpointChecks?.mayCheck ? (
            <TypedCheck
              draft={draft}
              base={base}
              policy={input.policy}
              demo={input.endpointChecks.demo}
            />
          ) : null}
          <NewOriginNotice
            url={draft.url}
            moved={movedTypes(base, draft).filter(({ type }) => !leadsBack(base, type, draft.url))}
            keeps={input.isAdmin && draft.authorization.action === "keep"}
          />
          {exposure ? <ExposedValueNotice {...exposure} /> : null}
          <AuthorizationField
            form={form}
            draft={draft}
            base={base}
            keepProblem={sheet.keepProblem}
            asked={asked}
            submitLabel={submitLabel}
            readOnly={saving}
          />
          {approval ? (
            <ApprovalFields namespace="webhooks.proposal.sheet" {...approval} readOnly={saving} />
          ) : null}
          {conflicts ? null : preview}
        </form>
      </Sheet>
      {confirmsLeaving || (sheetState.leaving && !saving) ? (
        <ConfirmDialog
          title={t(`webhooks.${leaveWords}.title`)}
          confirmLabel={t(`webhooks.${leaveWords}.discard`)}
          cancelLabel={t(`webhooks.${leaveWords}.keepEditing`)}
          tone={unresolved ? "primary" : "danger"}
          onConfirm={onClose}
          onClose={() => {
            setConfirmsLeaving(false);
            if (sheetState.leaving) sheetState.stay();
          }}
        >
          {t(`webhooks.${leaveWords}.text`)}
        </ConfirmDialog>
      ) : null}
      {submitResult.kind === "confirm" ? (
        <ConfirmDialog
          title={t("webhooks.confirm.title")}
          confirmLabel={submitLabel}
          pending={saving}
          onConfirm={() => {
            const { attempt } = submitResult;
            void save.send({ ...attempt, request: { ...attempt.request, confirm: true } });
          }}
          onClose={save.clear}
        >
          {t(`webhooks.confirm.${submitResult.reason}`)}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** What saving these types will do, for the sheet's description and its button. */
function useSheetWords(configuration: Configuration) {
  const t = useTranslations("webhooks.sheet");
  const all = useTranslations();
  const list = (types: readonly WebhookType[]) => (types.length > 0 ? listOf(types, all) : "none");
  return (key: "effect" | "submit" | "submitWithout", appliesTo: AppliesTo) => {
    const { register, overwrite } = submitEffect(configuration, appliesTo);
    const unclear = String(missingMayBeRegistered(configuration));
    return t(key, { register: list(register), overwrite: list(overwrite), unclear });
  };
}

/** While something is unsaved or in flight, the browser asks before it closes or reloads the page. */
function useUnloadGuard(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [active]);
}

const shown = [...saveSteps, "confirmed"] as const;

/**
 * How far the save in progress is, as the server reports it. Without a report, no step is marked as current. The
 * result, not this list, shows that the last step was reached.
 */
function SaveSteps({ operation }: { operation: string }) {
  const t = useTranslations("webhooks.sheet");
  const { data: step } = useQuery(saveStepQuery(useHere().ref, operation));
  const at = step === null ? -1 : shown.indexOf(step);
  return (
    <>
      <span>{step === null ? t("saving") : t(`steps.now.${step}`)}</span>
      <ol aria-hidden className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1">
        {shown.map((each, index) => (
          <li
            key={each}
            className={`flex items-center gap-1.5 ${index === at ? "font-medium text-ink" : index < at ? "text-ok" : "text-ink-3"}`}
          >
            <span className="[&>svg]:size-3.5">
              {index < at ? <Check /> : index === at ? <Spinner /> : <Circle />}
            </span>
            <span>{t(`steps.${each}`)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
