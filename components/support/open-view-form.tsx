"use client";

import { FailureText } from "@/components/forms/failure-text";
import { InitialsTile } from "@/components/layout/nav/initials-tile";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card, CardBody } from "@/components/ui/card";
import { Field } from "@/components/forms/field";
import { Notice } from "@/components/ui/notice";
import { TextInput } from "@/components/forms/text-input";
import { fetchJson, type Failure } from "@/lib/platform/http/client/fetch-json";
import { fieldErrors } from "@/lib/platform/http/model/field-errors";
import { reasonLength, supportViewRequestSchema } from "@/lib/support/model/support-view";
import { useTranslations } from "next-intl";
import { useRef, useState, type FormEvent } from "react";

type OpenViewFormProps = {
  partner: { id: string; name: string };
  /** The page to show then. */
  destination: string;
};

/** Milliseconds. */
const timeout = 15_000;

/** What support says before it sees a partner, and what the partner will see of that. */
export function OpenViewForm({ partner, destination }: OpenViewFormProps) {
  const t = useTranslations("support.open");
  const input = useRef<HTMLInputElement>(null);
  const [reason, setReason] = useState("");
  const [refused, setRefused] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [pending, setPending] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (pending) return;
    setFailure(null);
    const parsed = supportViewRequestSchema.safeParse({ reason });
    setRefused(parsed.success ? null : (fieldErrors(parsed.error.issues)[0]?.code ?? null));
    if (!parsed.success) {
      input.current?.focus();
      return;
    }
    setPending(true);
    const answer = await fetchJson(`/api/partners/${partner.id}/support-view`, {
      body: parsed.data,
      timeout,
    });
    if (answer.kind === "ok") {
      // A whole new page, whose frame knows of the view; the button stays busy until it is there.
      location.assign(destination);
      return;
    }
    setPending(false);
    setFailure(answer);
  }

  const error =
    refused === null
      ? undefined
      : refused === "too_long"
        ? t("fieldErrors.too_long", { max: reasonLength.max })
        : t("fieldErrors.too_short", { min: reasonLength.min });
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
        {failure ? (
          <Notice tone="bad" role="alert">
            <FailureText failure={failure} unreachable={t("unreachable")} />
          </Notice>
        ) : null}
        <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
          <Field
            label={t("reason")}
            hint={t("reasonHint")}
            error={error}
            counter={t("counter", { count: reason.length, limit: reasonLength.max })}
          >
            {(control) => (
              <TextInput
                {...control}
                ref={input}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
                maxLength={reasonLength.max}
                autoComplete="off"
                autoFocus
                required
              />
            )}
          </Field>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" size="lg" pending={pending}>
              {t("submit")}
            </Button>
            <ButtonLink href="/partners" size="lg" variant="ghost">
              {t("back")}
            </ButtonLink>
          </div>
        </form>
      </CardBody>
    </Card>
  );
}
