"use client";

import { EnvironmentBadge } from "@/components/layout/nav/environment-badge";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/forms/segmented";
import { Sheet } from "@/components/ui/sheet";
import { conflictOf } from "@/lib/webhooks/model/conflict";
import { diffOf } from "@/lib/webhooks/model/diff";
import { meantDraft } from "@/lib/webhooks/model/draft";
import { movedTypes } from "@/lib/webhooks/model/keeping";
import { webhookTypes } from "@/lib/webhooks/model/types";
import { useTranslations } from "next-intl";
import { useEffect, useId, useState } from "react";
import { ApprovalNotice } from "./approval-notice";
import { AuthorizationField } from "./authorization-field";
import { CallbackUrlField } from "./callback-url-field";
import { ConflictChoice } from "./conflict-choice";
import { findEditButton } from "@/components/webhooks/list/find-button";
import { NewOriginNotice } from "./new-origin-notice";
import { SheetSubmitResult } from "./sheet-aftermath";
import { AmbiguityDialog, DiscardDialog } from "./sheet-dialogs";
import { useSheetWords } from "./use-sheet-words";
import { useUnloadGuard } from "./use-unload-guard";
import { useWebhookSheet } from "./use-webhook-sheet";
import { WhatWillChange } from "./what-will-change";

type WebhookSheetProps = Parameters<typeof useWebhookSheet>[0] & {
  /** How the sheet is kept open, and closed. */
  hold: {
    /** The address has moved on while something is unsaved. */
    leaving: boolean;
    setDirty: (dirty: boolean) => void;
    close: () => void;
    stay: () => void;
  };
};

export function WebhookSheet({ hold, onDone, ...input }: WebhookSheetProps) {
  const t = useTranslations();
  const formId = useId();
  const sheet = useWebhookSheet({
    ...input,
    onDone: (result) => {
      onDone(result);
      hold.close();
    },
  });
  const { base, form, draft, save } = sheet;
  const { working, submitResult } = save;
  const saving = working === "saving";
  const checking = working === "checking";
  const unresolved = submitResult.kind === "unsettled";
  const words = useSheetWords(base);
  const { approval, doubt } = sheet;
  const submitLabel = approval
    ? t("webhooks.proposal.sheet.submit")
    : doubt
      ? words.submitDoubted(draft.type, doubt)
      : words.submit(draft.type);

  const [context, setAsking] = useState(false);
  const unsaved = form.formState.isDirty || working !== null || unresolved;
  const { setDirty } = hold;
  useEffect(() => setDirty(unsaved), [unsaved, setDirty]);
  useUnloadGuard(unsaved);

  function requestClose() {
    if (saving) return;
    if (unsaved) setAsking(true);
    else hold.close();
  }

  return (
    <>
      <Sheet
        open
        title={t(`webhooks.sheet.${input.address.mode}`)}
        description={
          <>
            <EnvironmentBadge environment={input.place.environment} />{" "}
            {approval ? t("webhooks.proposal.sheet.description") : words.description(draft.type)}
          </>
        }
        closeLabel={t("common.close")}
        onCloseRequest={requestClose}
        returnTo={() => findEditButton(input.address.type)}
        footer={
          <>
            <p aria-live="polite" className="mr-auto text-small text-ink-2">
              {saving
                ? t(approval ? "webhooks.proposal.sheet.sending" : "webhooks.sheet.saving")
                : checking
                  ? t("webhooks.result.checking")
                  : ""}
            </p>
            <Button variant="ghost" disabled={saving} onClick={requestClose}>
              {t(unresolved ? "common.close" : "common.cancel")}
            </Button>
            {submitResult.kind === "conflict" ? (
              <ConflictChoice
                pending={saving}
                conflicts={conflictOf(base, submitResult.now, draft)}
                onKeepMine={() => void sheet.keepMine(submitResult.now)}
                onTakeTheirs={() => sheet.takeTheirs(submitResult.now)}
              />
            ) : (
              <Button
                variant="primary"
                type="submit"
                form={formId}
                pending={saving}
                disabled={checking}
                // A double press must not answer what its first half brought up.
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
          onSubmit={(event) => void sheet.submit(event)}
        >
          <SheetSubmitResult sheet={sheet} labelOf={words.submit} />
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
          <CallbackUrlField form={form} url={draft.url} policy={input.policy} readOnly={saving} />
          <NewOriginNotice
            url={draft.url}
            moved={movedTypes(base, draft)}
            keeps={input.isAdmin && draft.authorization.action === "keep"}
          />
          <AuthorizationField
            form={form}
            draft={draft}
            base={base}
            keepProblem={sheet.keepProblem}
            doubt={doubt}
            submitLabel={submitLabel}
            readOnly={saving}
          />
          {approval ? <ApprovalNotice {...approval} readOnly={saving} /> : null}
          <WhatWillChange
            diffs={diffOf(base, meantDraft(base, draft))}
            hasUrl={draft.url.trim() !== ""}
          />
        </form>
      </Sheet>
      <DiscardDialog
        open={context || (hold.leaving && !saving)}
        unresolved={unresolved}
        onDiscard={hold.close}
        onKeepEditing={() => {
          setAsking(false);
          if (hold.leaving) hold.stay();
        }}
      />
      <AmbiguityDialog
        reason={submitResult.kind === "confirm" ? submitResult.reason : null}
        confirmLabel={submitLabel}
        pending={saving}
        onConfirm={() => {
          if (submitResult.kind !== "confirm") return;
          const { attempt } = submitResult;
          void save.send({ ...attempt, request: { ...attempt.request, confirm: true } });
        }}
        onCancel={save.clear}
      />
    </>
  );
}
