"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { TextField } from "@/components/forms/text-field";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import { useHere } from "@/components/layout/here";
import { Button } from "@/components/ui/button";
import { useCloseIncident } from "@/lib/attention/client/use-close-incident";
import { closeIncidentSchema } from "@/lib/attention/model/close-incident";
import { maxReasonLength } from "@/lib/webhooks/model/rules/save-request";
import { useTranslations } from "next-intl";

/** The last step of an incident: a note for the history. */
export function CloseIncident() {
  const t = useTranslations("attention.close");
  const form = useApiForm({
    schema: closeIncidentSchema,
    values: { note: "" },
    errorOf: useFieldError("attention.close.errors"),
    mutation: useCloseIncident(useHere().ref),
  });
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-wrap items-end gap-2">
      <TextField
        label={t("label")}
        hint={t("hint")}
        maxLength={maxReasonLength}
        className="min-w-0 flex-1 basis-80"
        {...form.field("note")}
      />
      <Button type="submit" variant="primary" pending={form.pending}>
        {t("submit")}
      </Button>
      <FailureNotice failure={form.failure} unreachable={t("unreachable")} className="basis-full" />
    </form>
  );
}
