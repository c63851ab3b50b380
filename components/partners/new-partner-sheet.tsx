"use client";

import { Field } from "@/components/forms/field";
import { TextInput } from "@/components/forms/text-input";
import { fieldErrors } from "@/lib/platform/http/model/field-errors";
import {
  longestName,
  newPartnerSchema,
  type ChangedPartner,
} from "@/lib/partners/model/change-requests";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { PartnerSheet } from "./partner-sheet";
import { idFromName } from "./id-from-name";
import { refusedField, useChangePartner } from "./use-change-partner";
import { useFieldError } from "./use-field-error";

type NewPartnerSheetProps = { onDone: (partner: ChangedPartner) => void; onClose: () => void };

export function NewPartnerSheet({ onDone, onClose }: NewPartnerSheetProps) {
  const t = useTranslations("partners.create");
  const fieldError = useFieldError();
  const { pending, failure, send } = useChangePartner();
  const [name, setName] = useState("");
  /** null while it still follows the name. */
  const [ownId, setOwnId] = useState<string | null>(null);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const inputs = { name: useRef<HTMLInputElement>(null), id: useRef<HTMLInputElement>(null) };
  const id = ownId ?? idFromName(name);

  async function submit() {
    const parsed = newPartnerSchema.safeParse({ id, name });
    const errors = parsed.success ? [] : fieldErrors(parsed.error.issues);
    setRefused(Object.fromEntries(errors.map(({ path, code }) => [path, code])));
    if (!parsed.success) {
      (errors.some(({ path }) => path === "name") ? inputs.name : inputs.id).current?.focus();
      return;
    }
    const created = await send({ kind: "create", body: parsed.data });
    if (created) onDone(created);
    else inputs.id.current?.focus();
  }

  return (
    <PartnerSheet
      title={t("title")}
      description={t("description")}
      submit={t("submit")}
      pending={pending}
      failure={failure}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field
        label={t("name")}
        hint={t("nameHint")}
        error={fieldError(refused["name"] ?? refusedField(failure, "name"))}
      >
        {(control) => (
          <TextInput
            {...control}
            ref={inputs.name}
            value={name}
            onChange={(event) => setName(event.target.value)}
            maxLength={longestName}
            autoComplete="off"
            required
          />
        )}
      </Field>
      <Field
        label={t("id")}
        hint={t("idHint")}
        error={fieldError(refused["id"] ?? refusedField(failure, "id"))}
      >
        {(control) => (
          <TextInput
            {...control}
            ref={inputs.id}
            mono
            value={id}
            onChange={(event) => setOwnId(event.target.value)}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        )}
      </Field>
    </PartnerSheet>
  );
}
