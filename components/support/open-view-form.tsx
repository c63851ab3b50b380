"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { InitialsTile } from "@/components/layout/nav/initials-tile";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card, CardBody } from "@/components/ui/card";
import { TextField } from "@/components/forms/text-field";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import { apiPath, sendJson } from "@/lib/platform/http/client/fetch-json";
import { leaveFor, useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import {
  reasonLength,
  supportViewRequestSchema,
  type SupportViewRequest,
} from "@/lib/support/model/support-view";
import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";

type OpenViewFormProps = {
  partner: { id: string; name: string };
  /** The page to show afterwards. */
  destination: string;
  /** The list of partners that the person came from. */
  list: string;
};

/** Milliseconds. */
const timeout = 15_000;

/** Asks support for a reason before it sees a partner, and says that the partner will see it. */
export function OpenViewForm({ partner, destination, list }: OpenViewFormProps) {
  const t = useTranslations("support.open");
  const form = useApiForm({
    schema: supportViewRequestSchema,
    values: { reason: "" },
    errorOf: useFieldError("support.open.fieldErrors", reasonLength),
    mutation: useApiMutation(async (request: SupportViewRequest) => {
      const path = apiPath("partners", partner.id, "support-view");
      const answer = await sendJson(path, { body: request, timeout, parse: () => true });
      // A full page load, because the layout has to show the view.
      return answer.kind === "done" ? leaveFor(destination) : answer;
    }),
  });
  const reason = useWatch({ control: form.control, name: "reason" });
  return (
    <Card aria-labelledby="open-view" className="mx-auto w-full max-w-xl">
      <CardBody className="flex flex-col gap-5 sm:p-7">
        <div className="flex items-start gap-3">
          <InitialsTile name={partner.name} kind="partner" className="mt-0.5" />
          <div className="min-w-0">
            <h1 id="open-view" className="text-title font-semibold tracking-tight">
              {t("title", { partner: partner.name })}
            </h1>
            <p className="mt-1 text-pretty text-ink-2">{t("intro", { partner: partner.name })}</p>
          </div>
        </div>
        <FailureNotice failure={form.failure} unreachable={t("unreachable")} />
        <form noValidate onSubmit={form.submit} className="flex flex-col gap-5">
          <TextField
            label={t("reason")}
            hint={t("reasonHint")}
            length={reason.length}
            maxLength={reasonLength.max}
            {...form.field("reason")}
            autoFocus
            required
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" size="lg" pending={form.pending}>
              {t("submit")}
            </Button>
            <ButtonLink href={list} size="lg" variant="ghost">
              {t("back")}
            </ButtonLink>
          </div>
        </form>
      </CardBody>
    </Card>
  );
}
