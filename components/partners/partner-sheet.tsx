"use client";

import { FailureText } from "@/components/forms/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Sheet } from "@/components/ui/sheet";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import { useTranslations } from "next-intl";
import { useId, type FormEvent, type ReactNode } from "react";

type PartnerSheetProps = {
  title: string;
  description: string;
  submit: string;
  pending: boolean;
  failure: Failure | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** A short form about a partner, in a sheet. */
export function PartnerSheet(props: PartnerSheetProps) {
  const { title, description, submit, pending, failure, onSubmit, onClose, children } = props;
  const t = useTranslations();
  const form = useId();

  function handle(event: FormEvent) {
    event.preventDefault();
    if (!pending) onSubmit();
  }

  return (
    <Sheet
      open
      title={title}
      description={description}
      closeLabel={t("common.close")}
      onCloseRequest={() => !pending && onClose()}
      footer={
        <>
          <Button onClick={onClose} disabled={pending}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" form={form} variant="primary" pending={pending}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={handle} className="flex flex-col gap-5">
        {failure ? (
          <Notice tone="bad" role="alert">
            <FailureText failure={failure} unreachable={t("partners.failed.unreachable")} />
          </Notice>
        ) : null}
        {children}
      </form>
    </Sheet>
  );
}
