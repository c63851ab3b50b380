"use client";

import { ResultNotice } from "@/components/forms/result-notice";
import { TextField } from "@/components/forms/text-field";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { changeAccount } from "@/lib/account/client/use-account-change";
import { doneSchema, nameChangeSchema, type NameChange } from "@/lib/account/model/account";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { useTranslations } from "next-intl";
import { useState } from "react";

/** The name by which others see the person. */
export function NameSection({ name }: { name: string }) {
  const t = useTranslations("account.name");
  const [saved, setSaved] = useState(false);
  const form = useApiForm({
    schema: nameChangeSchema,
    values: { name },
    errorOf: useFieldError("account.name.fieldErrors"),
    mutation: useApiMutation(
      (body: NameChange) => changeAccount({ path: "name", method: "PUT", body }, doneSchema),
      { refreshes: true },
    ),
    onDone: () => setSaved(true),
  });
  return (
    <Section screenOnly anchor="name" title={t("title")} text={t("text")}>
      <form
        noValidate
        onChange={() => setSaved(false)}
        onSubmit={(event) => {
          setSaved(false);
          form.submit(event);
        }}
        className="flex max-w-md flex-col gap-4"
      >
        <ResultNotice
          result={saved ? { tone: "ok", children: t("saved") } : { failure: form.failure }}
        />
        <TextField
          required
          label={t("label")}
          autoComplete="name"
          maxLength={100}
          {...form.field("name")}
        />
        <div>
          <Button type="submit" pending={form.pending}>
            {t("submit")}
          </Button>
        </div>
      </form>
    </Section>
  );
}
