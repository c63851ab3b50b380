"use client";

import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/forms/field";
import { TextInput } from "@/components/forms/text-input";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { longestReason } from "@/lib/webhooks/model/rules/save-request";
import { useTranslations } from "next-intl";
import { useState, type ReactNode } from "react";

/** No passkey signed: why, and what the button says that decides without. */
type Unsigned = { unsigned: ReactNode; goOn: string };

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
  /** Decides, signing with a passkey if `sign`; what it gives back is shown in place of the question, and null closes nothing by itself. */
  decide: (decision: Decision, sign: boolean) => Promise<ReactNode | Unsigned>;
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
  const takesReason = decision === "reject";
  const [reason, setReason] = useState("");
  const { pending, answer, send } = useApiMutation((sign: boolean) =>
    decide({ decision, ...(takesReason ? { reason: reason.trim() } : {}) }, sign),
  );
  const unsigned = isUnsigned(answer) ? answer : null;
  const failed = isUnsigned(answer) ? null : answer;
  const [missing, setMissing] = useState(false);
  const close = () => {
    if (!pending) onClose();
  };

  function act(sign: boolean) {
    if (takesReason && reason.trim() === "") setMissing(true);
    else void send(sign);
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
      {unsigned ? (
        <>
          {unsigned.unsigned}
          <Button variant="ghost" size="sm" className="self-start" onClick={() => act(false)}>
            {unsigned.goOn}
          </Button>
        </>
      ) : null}
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!pending) act(true);
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

function isUnsigned(answer: ReactNode | Unsigned): answer is Unsigned {
  return typeof answer === "object" && answer !== null && "unsigned" in answer;
}
