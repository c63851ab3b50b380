"use client";

import { Button } from "@/components/ui/button";
import type { Elements } from "@/components/ui/sentences";
import { Sheet } from "@/components/ui/sheet";
import type { RequestFailure } from "@/lib/platform/http/client/fetch-json";
import type { LinkDelivery as Delivery } from "@/lib/platform/mail/model/link-delivery";
import { useTranslations } from "next-intl";
import { useId, type SubmitEvent } from "react";
import { FailureNotice } from "./failure-notice";
import { ResultNotice } from "./result-notice";

type SheetFormProps = {
  /** From `useApiForm`. */
  form: { pending: boolean; failure: RequestFailure | null; submit: (event: SubmitEvent) => void };
  title: string;
  description?: string | undefined;
  /** The submit button's label. */
  submit: string;
  /** The person has changed nothing, so there is nothing to send. */
  nothingToSend?: boolean;
  onClose: () => void;
  /** Replaces the form once it is sent: how the link that it created is delivered. */
  sent?: LinkDeliveryProps | null;
  children?: Elements;
};

/** A short form in a sheet, which stays open while its request is in flight. */
export function SheetForm(props: SheetFormProps) {
  const { form, title, description, submit, onClose, sent } = props;
  const t = useTranslations("common");
  const id = useId();
  return (
    <Sheet
      title={title}
      description={description}
      onCloseRequest={() => !form.pending && onClose()}
      footer={
        sent ? (
          <Button onClick={onClose}>{t("done")}</Button>
        ) : (
          <>
            <Button onClick={onClose} disabled={form.pending}>
              {t("cancel")}
            </Button>
            <Button
              type="submit"
              form={id}
              variant="primary"
              pending={form.pending}
              disabled={props.nothingToSend}
            >
              {submit}
            </Button>
          </>
        )
      }
    >
      {sent ? (
        <LinkDelivery {...sent} />
      ) : (
        <form id={id} noValidate onSubmit={form.submit} className="flex flex-col gap-5">
          <FailureNotice failure={form.failure} />
          {props.children}
        </form>
      )}
    </Sheet>
  );
}

type LinkDeliveryProps = {
  to: string;
  delivery: Delivery;
  link: "alertAddress" | "invitation" | "password";
};

/** How an added or invited person gets in. No screen shows the link: using it proves ownership of the address. */
function LinkDelivery({ to: email, delivery, link }: LinkDeliveryProps) {
  const t = useTranslations("common.delivery");
  const tones = { sent: "ok", failed: "bad", provider: "info", terminal: "info" } as const;
  return (
    <ResultNotice
      takesFocus
      result={{
        tone: tones[delivery],
        children: (
          <>
            <span>
              {delivery === "sent" ? t("sent", { email }) : t(`${delivery}.${link}`, { email })}
            </span>
            {delivery === "terminal" ? (
              <code translate="no" className="mt-2 block text-small [overflow-wrap:anywhere]">
                {`gancho reset-access ${email} --${link}`}
              </code>
            ) : null}
          </>
        ),
      }}
    />
  );
}
