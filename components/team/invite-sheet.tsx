"use client";

import { EmailField } from "@/components/forms/email-field";
import { Field } from "@/components/forms/field";
import { SheetForm } from "@/components/forms/sheet-form";
import { TextInput } from "@/components/forms/text-input";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import { useInvite } from "@/lib/team/client/use-team-change";
import { inviteSchema, type Invite } from "@/lib/team/model/requests";
import type { Invitation, Invited } from "@/lib/team/model/team";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { RoleChoice } from "./role-sheet";

type InviteSheetProps = {
  partner: string;
  /** An open invitation that gets a new link; null for a new one. */
  renewing: Invitation | null;
  onClose: () => void;
};

type Typed = Invite & { name: string };

/** The name is optional. */
const typedSchema = z.pipe(
  z.transform(({ name, ...rest }: Typed): Invite =>
    name.trim() === "" ? rest : { ...rest, name },
  ),
  inviteSchema,
);

/** Asks whom to invite, then says how they get in. */
export function InviteSheet({ partner, renewing, onClose }: InviteSheetProps) {
  const t = useTranslations("team");
  const errorOf = useFieldError("team.fieldErrors");
  const [invited, setInvited] = useState<Invited | null>(null);
  const typed: Typed = {
    email: renewing?.email ?? "",
    name: renewing?.name ?? "",
    role: renewing?.role ?? "viewer",
  };
  const form = useApiForm({
    schema: typedSchema,
    values: typed,
    mutation: useInvite(partner),
    onDone: setInvited,
  });
  const role = useController({ control: form.control, name: "role" }).field;
  const words = renewing
    ? {
        title: t("inviteSheet.newLinkTitle"),
        description: t("inviteSheet.newLinkText", { email: renewing.email }),
        submit: t("inviteSheet.newLinkSubmit"),
      }
    : {
        title: t("inviteSheet.title"),
        description: t("inviteSheet.text"),
        submit: t("inviteSheet.submit"),
      };
  return (
    <SheetForm
      {...words}
      pending={form.pending}
      failure={form.failure}
      failed={{ title: t("failed.title"), unreachable: t("failed.noAnswer") }}
      onSubmit={form.submit}
      onClose={onClose}
      sent={invited && { to: invited.invitation.email, delivery: invited.mail, link: "invitation" }}
    >
      <EmailField
        label={t("inviteSheet.email")}
        hint={t("inviteSheet.emailHint")}
        error={errorOf(form.codeOf("email"))}
        readOnly={renewing !== null}
        {...form.register("email")}
      />
      {renewing ? null : (
        <Field label={t("inviteSheet.name")} error={errorOf(form.codeOf("name"))}>
          {(control) => <TextInput {...control} {...form.register("name")} autoComplete="off" />}
        </Field>
      )}
      <RoleChoice value={role.value} onChange={role.onChange} />
    </SheetForm>
  );
}
