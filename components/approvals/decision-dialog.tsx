"use client";

import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { TextInput } from "@/components/ui/text-input";
import type { Decision } from "@/lib/webhooks/proposals/decision";
import { longestReason } from "@/lib/webhooks/rules/save-request";
import { useTranslations } from "next-intl";
import { useState, type ReactNode } from "react";

type DecisionDialogProps = {
  decision: Decision["decision"];
  title: string;
  /** What happens, in a sentence or two. */
  text: string;
  confirmLabel: string;
  /** What is under way while the answer is awaited. */
  progress: string;
  /** Of whoever proposed it: they read the reason. */
  author: string;
  /** What is approved, in full. */
  children?: ReactNode;
  /** Decides; what it gives back is shown in place of the question, and null closes nothing by itself. */
  decide: (decision: Decision) => Promise<ReactNode>;
  onClose: () => void;
  returnTo: () => HTMLElement | null;
};

/** Asks once more before a proposal is approved, rejected or withdrawn, and tells what did not simply succeed. */
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
  const [pending, setPending] = useState(false);
  const [failed, setFailed] = useState<ReactNode>(null);
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const takesReason = decision === "reject";
  const close = () => {
    if (!pending) onClose();
  };

  async function act() {
    const said = reason.trim();
    if (takesReason && said === "") return setMissing(true);
    setPending(true);
    const failure = await decide({ decision, ...(takesReason ? { reason: said } : {}) });
    setPending(false);
    setFailed(failure);
  }

  return (
    <Dialog
      title={title}
      description={failed ? null : text}
      wide={decision === "approve"}
      closeLabel={t("common.close")}
      onClose={close}
      returnTo={returnTo}
    >
      {failed ?? children}
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!pending) void act();
        }}
      >
        {takesReason && !failed ? (
          <Field
            label={t("approvals.reason.label")}
            hint={t("approvals.reason.hint", { name: author })}
            error={missing && reason.trim() === "" ? t("approvals.reason.missing") : null}
            counter={t("approvals.reason.counter", { count: reason.length, limit: longestReason })}
          >
            {(control) => (
              <TextInput
                {...control}
                value={reason}
                maxLength={longestReason}
                readOnly={pending}
                autoComplete="off"
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
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
