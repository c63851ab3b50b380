"use client";

import { OptionRow } from "@/components/forms/choice";
import { ResultNotice } from "@/components/forms/result-notice";
import { Field } from "@/components/forms/field";
import { Select } from "@/components/forms/text-input";
import { useApiForm } from "@/components/forms/use-api-form";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import {
  alertSettingsSchema,
  type AlertSettings,
  type ShownAlertSettings,
} from "@/lib/alerts/model/choices";
import { sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { localeNames, locales } from "@/lib/platform/i18n/model/locale";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useController } from "react-hook-form";
import { Section } from "@/components/ui/section";

/** Milliseconds. */
const timeout = 15_000;

/** Which emails the person gets, and in which language. Security emails cannot be switched off. */
export function AlertsSection({ shown }: { shown: ShownAlertSettings }) {
  const t = useTranslations("account");
  const [saved, setSaved] = useState(false);
  const form = useApiForm({
    schema: alertSettingsSchema,
    values: shown.settings,
    mutation: useApiMutation(
      (settings: AlertSettings) =>
        sendJson("/api/account/alerts", {
          method: "PUT",
          body: settings,
          timeout,
          parse: () => true,
        }),
      { refreshes: true },
    ),
    onDone: () => setSaved(true),
  });
  const locale = useController({ control: form.control, name: "locale" }).field;
  return (
    <Section
      screenOnly={shown.mail}
      anchor="alerts"
      title={t("alerts.title")}
      text={t("alerts.text")}
    >
      {shown.mail ? null : <Notice tone="info">{t("alerts.mailOff")}</Notice>}
      <form
        noValidate
        onChange={() => setSaved(false)}
        onSubmit={(event) => {
          setSaved(false);
          form.submit(event);
        }}
        className="flex max-w-xl flex-col gap-5"
      >
        <ResultNotice
          result={saved ? { tone: "ok", children: t("alerts.saved") } : { failure: form.failure }}
        />
        {shown.offered.length > 0 ? (
          <fieldset>
            <legend className="mb-1.5 text-small font-medium">{t("alerts.choices")}</legend>
            <div className="divide-y divide-line overflow-hidden rounded-card border border-line-strong">
              {shown.offered.map((choice) => (
                <OptionRow
                  key={choice}
                  type="checkbox"
                  {...form.register(choice)}
                  label={t(`alerts.${choice}.label`)}
                  description={t(`alerts.${choice}.text`)}
                  className="accent-brand"
                />
              ))}
            </div>
          </fieldset>
        ) : null}
        <div>
          <p className="text-small font-medium">{t("alerts.always.label")}</p>
          <p className="text-pretty text-ink-2">{t("alerts.always.text")}</p>
        </div>
        <Field label={t("alerts.locale")} className="max-w-xs">
          {(control) => (
            <Select {...control} value={locale.value} onChange={locale.onChange}>
              <option value="all">{t("alerts.allLocales")}</option>
              {locales.map((known) => (
                <option key={known} value={known} lang={known}>
                  {localeNames[known]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div>
          <Button type="submit" pending={form.pending}>
            {t("alerts.submit")}
          </Button>
        </div>
      </form>
    </Section>
  );
}
