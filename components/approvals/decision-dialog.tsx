"use client";

import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { LimitedField } from "@/components/forms/limited-field";
import { useFieldError } from "@/components/forms/use-field-error";
import { useApiForm } from "@/components/forms/use-api-form";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { decisionSchema, type Decision } from "@/lib/webhooks/model/proposals/decision";
import { maxReasonLength } from "@/lib/webhooks/model/rules/save-request";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";

type DecisionDialogProps = {
  decision: Decision["decision"];
  title: string;
  /** What happens, in a sentence or two. */
  text: string;
  confirmLabel: string;
  /** What is in flight while the answer is awaited. */
  progress: string;
  /** The person who proposed it, who reads the reason. */
  author: string;
  /** What is approved, in full. */
  children?: ReactNode;
  /** Its result replaces the question, and null closes nothing by itself. */
  decide: (decision: Decision) => Promise<ReactNode>;
  onClose: () => void;
  returnTo: () => HTMLElement | null;
};

/** Confirms before a proposal is approved, rejected or withdrawn, and shows any outcome other than plain success. */
export function DecisionDialog({
  decision,
  title,
  text,
  confirmLabel,
  progress,
  author,
  children,
  decide,
  onClose,
  returnTo,
}: DecisionDialogProps) {
  const t = useTranslations();
  const errorOf = useFieldError("approvals.reason.errors");
  const takesReason = decision === "reject";
  const { answer, ...mutation } = useApiMutation(async (request: Decision) => ({
    shown: await decide(request),
  }));
  const form = useApiForm({
    schema: takesReason ? rejectSchema : plainSchema,
    values: { decision, reason: "" },
    mutation,
  });
  const { pending } = form;
  const reason = useWatch({ control: form.control, name: "reason" });
  const failed = answer?.shown;
  const close = () => {
    if (!pending) onClose();
  };

  return (
    <Dialog
      title={title}
      description={failed ? null : text}
      wide={decision === "approve"}
      onClose={close}
      returnTo={returnTo}
    >
      {failed ?? children}
      <form noValidate className="flex flex-col gap-5" onSubmit={form.submit}>
        {takesReason && !failed ? (
          <LimitedField
            label={t("approvals.reason.label")}
            hint={t("approvals.reason.hint", { name: author })}
            error={errorOf(form.codeOf("reason"))}
            length={reason.length}
            maxLength={maxReasonLength}
            {...form.register("reason")}
            readOnly={pending}
          />
        ) : null}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <p aria-live="polite" className="mr-auto text-small text-ink-2">
            {pending && decision === "approve" ? progress : ""}
          </p>
          {failed ? (
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

/** Only a rejection takes a reason; the schema is the route's. */
const rejectSchema = z.pipe(
  z.transform((typed: Typed): Decision => typed),
  decisionSchema,
);
const plainSchema = z.pipe(
  z.transform(({ decision }: Typed): Decision => ({ decision })),
  decisionSchema,
);
