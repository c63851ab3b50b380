"use client";

import { CheckedPasswordField } from "@/components/forms/checked-password-field";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/forms/field";
import { Notice } from "@/components/ui/notice";
import { PasswordOwner } from "@/components/forms/password-owner";
import { TextInput } from "@/components/forms/text-input";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import type { Accept } from "@/lib/team/model/requests";
import { useTranslations } from "next-intl";
import { useRef, useState, type FormEvent } from "react";
import { InvitationFailure } from "./invitation-failure";
import type { OpenOffer, Refusal } from "./use-invitation";

type NewPersonFormProps = {
  offer: OpenOffer;
  onAccept: (person: NonNullable<Accept["person"]>) => Promise<Refusal | null>;
};

const worded = ["required", "too_long", "invisible_character"] as const;

/** Name and password of somebody who has no account yet. */
export function NewPersonForm({ offer, onAccept }: NewPersonFormProps) {
  const t = useTranslations("invitation");
  const name = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [codes, setCodes] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<Failure | null>(null);
  const [pending, setPending] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (pending) return;
    const typed = { name: name.current?.value ?? "", password: password.current?.value ?? "" };
    const missing = {
      ...(typed.name.trim() === "" ? { name: "required" } : {}),
      ...(typed.password === "" ? { password: "required" } : {}),
    };
    setFailure(null);
    if (Object.keys(missing).length > 0) return refuse(missing);
    setCodes({});
    setPending(true);
    const refusal = await onAccept(typed);
    if (!refusal) return;
    setPending(false);
    if (refusal.kind === "failed") setFailure(refusal.failure);
    else
      refuse(
        Object.fromEntries(
          refusal.errors.map(({ path, code }) => [path.replace(/^person\./, ""), code]),
        ),
      );
  }

  function refuse(next: Record<string, string>) {
    setCodes(next);
    (next["name"] ? name : password).current?.focus();
  }

  function messageOf(code: string | undefined): string | undefined {
    if (!code) return undefined;
    const known = worded.find((word) => word === code);
    return known ? t(`fieldErrors.${known}`) : t("fieldErrors.other", { code });
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-4"
    >
      <p className="text-ink-2">{t("new.text")}</p>
      {failure ? <InvitationFailure failure={failure} /> : null}
      {codes["person"] === "has_account" ? (
        <Notice tone="warn" role="alert" title={t("known.hasAccount")}>
          {t("known.hasAccountNext")}
        </Notice>
      ) : null}
      <PasswordOwner email={offer.email} />
      <Field label={t("new.name")} hint={t("new.nameHint")} error={messageOf(codes["name"])}>
        {(control) => (
          <TextInput
            {...control}
            ref={name}
            name="name"
            defaultValue={offer.name ?? ""}
            autoComplete="name"
            maxLength={100}
            required
          />
        )}
      </Field>
      <CheckedPasswordField
        ref={password}
        label={t("new.password")}
        autoComplete="new-password"
        code={codes["password"] ?? (codes["person"] === "has_account" ? null : codes["person"])}
      />
      <Button type="submit" variant="primary" size="lg" pending={pending} className="w-full">
        {t("new.submit")}
      </Button>
    </form>
  );
}
