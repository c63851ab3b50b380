"use client";

import { Button } from "@/components/ui/button";
import { Field } from "@/components/forms/field";
import { Sheet } from "@/components/ui/sheet";
import { TextInput } from "@/components/forms/text-input";
import { fieldErrors } from "@/lib/platform/http/model/field-errors";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import { inviteSchema, type TeamRole } from "@/lib/team/model/requests";
import type { Invitation, Invited } from "@/lib/team/model/team";
import { useInvite } from "@/lib/team/client/use-team-change";
import { useTranslations } from "next-intl";
import { useId, useRef, useState, type FormEvent } from "react";
import { InvitationLink } from "./invitation-link";
import { RoleChoice } from "./role-choice";
import { TeamFailureNotice } from "./team-failure-notice";
import { useFieldMessage } from "./use-field-message";

type InviteSheetProps = {
  partner: string;
  /** An open invitation that gets a new link; null for a new one. */
  renewing: Invitation | null;
  onClose: () => void;
};

/** Asks whom to invite, then shows the link: once made it stays until the sheet is closed on purpose. */
export function InviteSheet({ partner, renewing, onClose }: InviteSheetProps) {
  const t = useTranslations();
  const formId = useId();
  const invite = useInvite(partner);
  const [invited, setInvited] = useState<Invited | null>(null);
  const form = useInviteForm(renewing);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const request = form.check();
    if (!request || invite.isPending) return;
    const answer = await invite.mutateAsync(request);
    if (answer.kind === "invited") setInvited(answer.invited);
    else form.refuse(answer);
  }

  const words = renewing
    ? {
        title: t("team.inviteSheet.newLinkTitle"),
        text: t("team.inviteSheet.newLinkText", { email: renewing.email }),
        submit: t("team.inviteSheet.newLinkSubmit"),
      }
    : {
        title: t("team.inviteSheet.title"),
        text: t("team.inviteSheet.text"),
        submit: t("team.inviteSheet.submit"),
      };

  return (
    <Sheet
      open
      title={words.title}
      description={words.text}
      closeLabel={t("common.close")}
      onCloseRequest={() => !invite.isPending && onClose()}
      footer={
        invited ? (
          <Button onClick={onClose}>{t("team.link.done")}</Button>
        ) : (
          <>
            <Button disabled={invite.isPending} onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" form={formId} variant="primary" pending={invite.isPending}>
              {words.submit}
            </Button>
          </>
        )
      }
    >
      {invited ? (
        <InvitationLink invited={invited} />
      ) : (
        <form
          id={formId}
          noValidate
          onSubmit={(event) => void submit(event)}
          className="flex flex-col gap-5"
        >
          {form.failure ? <TeamFailureNotice failure={form.failure} /> : null}
          <InviteFields form={form} fixed={renewing !== null} />
        </form>
      )}
    </Sheet>
  );
}

/** What is typed, and what is wrong with it. */
function useInviteForm(renewing: Invitation | null) {
  const [email, setEmail] = useState(renewing?.email ?? "");
  const [name, setName] = useState(renewing?.name ?? "");
  const [role, setRole] = useState<TeamRole>(renewing?.role ?? "viewer");
  const [codes, setCodes] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<Failure | null>(null);
  const emailInput = useRef<HTMLInputElement>(null);

  function refuseFields(errors: readonly { path: string; code: string }[]) {
    setCodes(Object.fromEntries(errors.map(({ path, code }) => [path, code])));
    emailInput.current?.focus();
  }

  return {
    email,
    setEmail,
    name,
    setName,
    role,
    setRole,
    codes,
    failure,
    emailInput,
    /** The request, by the server's own rules; null where a field is wrong. */
    check() {
      const typed = { email, role, ...(name.trim() === "" ? {} : { name }) };
      const parsed = inviteSchema.safeParse(typed);
      setFailure(null);
      setCodes({});
      if (!parsed.success) refuseFields(fieldErrors(parsed.error.issues));
      return parsed.success ? parsed.data : null;
    },
    refuse(
      answer:
        | { kind: "fields"; errors: { path: string; code: string }[] }
        | { kind: "failed"; failure: Failure },
    ) {
      if (answer.kind === "failed") setFailure(answer.failure);
      else refuseFields(answer.errors);
    },
  };
}

type InviteFieldsProps = { form: ReturnType<typeof useInviteForm>; fixed: boolean };

/** `fixed`: for whom is settled, only the role may be another. */
function InviteFields({ form, fixed }: InviteFieldsProps) {
  const t = useTranslations("team.inviteSheet");
  const messageOf = useFieldMessage();
  return (
    <>
      <Field label={t("email")} hint={t("emailHint")} error={messageOf(form.codes["email"])}>
        {(control) => (
          <TextInput
            {...control}
            ref={form.emailInput}
            type="email"
            value={form.email}
            readOnly={fixed}
            onChange={(event) => form.setEmail(event.target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        )}
      </Field>
      {fixed ? null : (
        <Field label={t("name")} error={messageOf(form.codes["name"])}>
          {(control) => (
            <TextInput
              {...control}
              value={form.name}
              onChange={(event) => form.setName(event.target.value)}
              autoComplete="off"
            />
          )}
        </Field>
      )}
      <RoleChoice value={form.role} onChange={form.setRole} />
    </>
  );
}
