"use client";

import { useAskedStepUp } from "@/components/account/step-up";
import { StepUpQuestion } from "@/components/account/step-up-dialog";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Elements } from "@/components/ui/sentences";
import { Skeleton } from "@/components/ui/skeleton";
import { TextField } from "@/components/forms/text-field";
import { useFieldError } from "@/components/forms/use-field-error";
import { useApiForm } from "@/components/forms/use-api-form";
import { useHere } from "@/components/layout/here";
import { readProofOptions } from "@/lib/account/client/prove";
import { attentionKeys } from "@/lib/attention/client/query";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { decisionSchema, type Decision } from "@/lib/webhooks/model/proposals/decision";
import { maxReasonLength } from "@/lib/webhooks/model/rules/save-request";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useId, useState } from "react";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";

type DecisionDialogProps = {
  decision: Decision["decision"];
  /** The messages for this kind of proposal. */
  namespace: "webhooks.proposal.dialogs" | "approvals.credentials.dialogs";
  /** The name of the proposal's author, who will read the reason. */
  author: string;
  /** The webhook types that the proposal covers, for the title. */
  types?: string;
  /** Shows in full what is approved. */
  children?: Elements;
  /** A result replaces the question. On null, the caller closes the dialog. */
  decide: (decision: Decision) => Promise<Elements>;
  onClose: () => void;
  returnTo?: () => HTMLElement | null;
};

/** Asks before a proposal is approved, rejected or withdrawn, and shows any outcome other than plain success. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { decision, author, types = "", children, decide, onClose, returnTo } = props;
  const t = useTranslations();
  const own = useTranslations(props.namespace as "webhooks.proposal.dialogs");
  const confirmLabel = own(`${decision}.confirm`);
  const takesReason = decision === "reject";
  const client = useQueryClient();
  const queryKey = attentionKeys.of(useHere().ref.partner);
  const { answer, ...mutation } = useApiMutation(
    async (request: Decision) => ({ shown: await decide(request) }),
    { onAnswer: () => void client.invalidateQueries({ queryKey }) },
  );
  const form = useApiForm({
    schema,
    values: { decision, reason: "" },
    errorOf: useFieldError("approvals.reason.errors"),
    mutation,
  });
  const { pending } = form;
  const reason = useWatch({ control: form.control, name: "reason" });
  const failed = answer?.shown;
  // A rejection stays open with its reason, to try again.
  const isOver = Boolean(failed) && !takesReason;
  const headingId = useId();
  const { asked, ask, end } = useAskedStepUp();
  // What an approval needs is asked for before the button, not after it was pressed.
  const [isReady, setReady] = useState(decision !== "approve");
  const begin = useEffectEvent((options: Awaited<ReturnType<typeof readProofOptions>>) => {
    if ("needed" in options && options.needed !== null)
      ask({
        method: options.needed,
        options,
        end: (given) => void (given && form.send({ decision: "approve" })),
      });
    setReady(true);
  });
  useEffect(() => {
    if (decision === "approve") void readProofOptions().then((options) => begin(options));
  }, [decision]);
  const endStepUp = (given: boolean) => {
    end(given);
    if (!given) onClose();
  };
  const close = () => {
    if (asked) endStepUp(false);
    else if (!pending) onClose();
  };

  return (
    <Dialog
      title={own(`${decision}.title`, { types })}
      description={failed ? null : own(`${decision}.text`, { name: author })}
      wide={decision === "approve"}
      onClose={close}
      returnTo={returnTo}
    >
      {failed ?? children}
      {asked ? (
        // The proof is asked for in this dialog, so that what the person approves stays in view.
        <section aria-labelledby={headingId} className="flex flex-col gap-4">
          <div className="flex flex-col gap-1">
            <h3 id={headingId} className="font-semibold">
              {t("shell.stepUp.title")}
            </h3>
            <p className="text-ink-2">{`${own("untilConfirmed")} ${t("shell.stepUp.intro")}`}</p>
          </div>
          <StepUpQuestion
            method={asked.method}
            options={asked.options}
            submitLabel={confirmLabel}
            onEnd={endStepUp}
          />
        </section>
      ) : null}
      {isReady ? null : <Skeleton className="h-9 w-full" />}
      <form
        noValidate
        hidden={asked !== null || !isReady}
        className="flex flex-col gap-5"
        onSubmit={form.submit}
      >
        {takesReason ? (
          <TextField
            label={t("approvals.reason.label")}
            hint={t("approvals.reason.hint", { name: author })}
            length={reason.length}
            maxLength={maxReasonLength}
            {...form.field("reason")}
            readOnly={pending}
          />
        ) : null}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <p aria-live="polite" className="mr-auto text-small text-ink-2">
            {pending && decision === "approve" ? t("approvals.waiting") : ""}
          </p>
          {isOver ? (
            <Button onClick={onClose}>{t("common.close")}</Button>
          ) : (
            <>
              <Button variant="ghost" disabled={pending} onClick={onClose}>
                {t("common.cancel")}
              </Button>
              <Button
                type="submit"
                variant={decision === "approve" ? "primary" : "danger"}
                pending={pending}
              >
                {confirmLabel}
              </Button>
            </>
          )}
        </div>
      </form>
    </Dialog>
  );
}

type Typed = { decision: Decision["decision"]; reason: string };

/** Only a rejection takes a reason. The schema is the route's own. */
const schema = z.pipe(
  z.transform((typed: Typed): Decision =>
    typed.decision === "reject" ? typed : { decision: typed.decision },
  ),
  decisionSchema,
);
