"use client";

import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { yieldsFocus } from "@/components/ui/focus-content";
import { Field } from "@/components/forms/field";
import { PasswordInput } from "@/components/forms/password-input";
import { noLogin } from "@/components/forms/text-input";
import { useTranslations } from "next-intl";
import { useId, type ComponentProps } from "react";

type SecretFieldProps = {
  /** Whether Gancho already has a secret. */
  set: boolean;
  /** The payment service rejected the stored one, or its client ID: it does not say which. */
  rejected: boolean;
  /** Whether the person is typing a new secret. */
  replacing: boolean;
  onReplace: (replacing: boolean) => void;
  input: Omit<ComponentProps<typeof PasswordInput>, "autoComplete"> & { error: string | undefined };
};

/** A write-only field: the stored secret can be replaced but never read. */
export function SecretField({ set, rejected, replacing, onReplace, input }: SecretFieldProps) {
  const { error, ...control } = input;
  const t = useTranslations("connection.credentials");
  const labelId = useId();
  if (!replacing)
    return (
      <div className="flex flex-col gap-1.5">
        <span id={labelId} className="text-small font-medium text-ink">
          {t("clientSecret")}
        </span>
        <div
          className={cn(
            "flex min-h-10 flex-wrap items-center justify-between gap-2 rounded-control border bg-sunken py-1 pr-1 pl-3",
            rejected ? "border-bad" : "border-line",
          )}
        >
          <SecretState />
          <Button size="sm" aria-describedby={labelId} onClick={() => onReplace(true)}>
            {t("replace")}
          </Button>
        </div>
        <p className="text-small text-ink-3">{`${t("secretHidden")}.`}</p>
      </div>
    );
  return (
    <div className="flex flex-col items-start gap-2">
      <Field
        label={t("clientSecret")}
        hint={t("secretHint")}
        error={error}
        className="self-stretch"
      >
        {(field) => (
          <PasswordInput
            {...field}
            {...control}
            autoFocus={set}
            {...noLogin}
            autoComplete="new-password"
            className="font-mono"
          />
        )}
      </Field>
      {set ? (
        <Button
          ref={yieldsFocus}
          size="sm"
          variant="ghost"
          className="-ml-2.5"
          onClick={() => onReplace(false)}
        >
          {t("keep")}
        </Button>
      ) : null}
    </div>
  );
}

/** Shows that a secret is stored, and no part of it. */
export function SecretState() {
  const t = useTranslations("connection.credentials");
  return (
    <span className="flex items-center gap-2.5">
      <span aria-hidden className="font-mono tracking-[0.2em]">
        ••••••••
      </span>
      <Badge tone="ok">{t("secretSet")}</Badge>
    </span>
  );
}
