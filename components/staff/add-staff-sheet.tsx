"use client";

import { FailureText } from "@/components/forms/failure-text";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/forms/field";
import { Notice } from "@/components/ui/notice";
import { RadioList } from "@/components/forms/radio-list";
import { Sheet } from "@/components/ui/sheet";
import { TextInput } from "@/components/forms/text-input";
import { fieldErrors } from "@/lib/platform/http/model/field-errors";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import { newStaffSchema, type NewStaff } from "@/lib/staff/model/new-staff";
import type { IssuedLink } from "@/lib/staff/model/staff";
import { useTranslations } from "next-intl";
import { useId, useRef, useState, type FormEvent } from "react";
import { useStaffChange } from "./use-staff";

type AddStaffSheetProps = { onAdded: (issued: IssuedLink) => void; onClose: () => void };

export function AddStaffSheet({ onAdded, onClose }: AddStaffSheetProps) {
  const t = useTranslations();
  const form = useId();
  const { pending, failure, add } = useStaffChange();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<NewStaff["role"]>("support");
  const [refused, setRefused] = useState<Record<string, string>>({});
  const inputs = { name: useRef<HTMLInputElement>(null), email: useRef<HTMLInputElement>(null) };
  const words = useFieldWords();
  const errorOf = (path: string) => words(refused[path] ?? codeIn(failure, path));

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (pending) return;
    const parsed = newStaffSchema.safeParse({ name, email, role });
    const errors = parsed.success ? [] : fieldErrors(parsed.error.issues);
    setRefused(Object.fromEntries(errors.map(({ path, code }) => [path, code])));
    if (!parsed.success) {
      (errors.some(({ path }) => path === "name") ? inputs.name : inputs.email).current?.focus();
      return;
    }
    const issued = await add(parsed.data);
    if (issued) onAdded(issued);
    else inputs.email.current?.focus();
  }

  return (
    <Sheet
      open
      title={t("installation.add.title")}
      description={t("installation.add.description")}
      closeLabel={t("common.close")}
      onCloseRequest={() => !pending && onClose()}
      footer={
        <>
          <Button onClick={onClose} disabled={pending}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" form={form} variant="primary" pending={pending}>
            {t("installation.add.submit")}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event) => void submit(event)}
        className="flex flex-col gap-5"
      >
        {failure ? (
          <Notice tone="bad" role="alert">
            <FailureText failure={failure} unreachable={t("installation.failed.unreachable")} />
          </Notice>
        ) : null}
        <Field
          label={t("installation.add.name")}
          hint={t("installation.add.nameHint")}
          error={errorOf("name")}
        >
          {(control) => (
            <TextInput
              {...control}
              ref={inputs.name}
              value={name}
              onChange={(event) => setName(event.target.value)}
              autoComplete="off"
              required
            />
          )}
        </Field>
        <Field label={t("installation.add.email")} error={errorOf("email")}>
          {(control) => (
            <TextInput
              {...control}
              ref={inputs.email}
              type="email"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
          )}
        </Field>
        <RadioList
          label={t("installation.add.role")}
          value={role}
          onChange={setRole}
          options={(["support", "operator"] as const).map((value) => ({
            value,
            label: t(`installation.staff.roles.${value}`),
            description: t(`installation.add.${value}Hint`),
          }))}
        />
      </form>
    </Sheet>
  );
}

const worded = ["required", "too_long", "invisible_character", "not_an_email", "taken"] as const;

function useFieldWords(): (code: string | undefined) => string | undefined {
  const t = useTranslations("installation.fieldErrors");
  return (code) => {
    if (code === undefined) return undefined;
    const known = worded.find((word) => word === code);
    return known ? t(known) : t("other", { code });
  };
}

function codeIn(failure: Failure | null, path: string): string | undefined {
  if (failure?.kind !== "problem") return undefined;
  return failure.problem.errors?.find((error) => error.path === path)?.code;
}
