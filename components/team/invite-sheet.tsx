"use client";

import { CopyField } from "@/components/forms/copy-field";
import { EmailField } from "@/components/forms/email-field";
import { Field } from "@/components/forms/field";
import { Notice } from "@/components/ui/notice";
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

/** Asks whom to invite, then shows the link, which stays until the person closes the sheet. */
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
      result={invited && { close: t("link.done"), children: <InvitationLink invited={invited} /> }}
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

/** The link, this once: nobody can read it again. Where it is mailed, nobody here sees it at all. */
function InvitationLink({ invited: { invitation, link, mail } }: { invited: Invited }) {
  const t = useTranslations();
  const { email } = invitation;
  if (mail === "failed")
    return (
      <Notice tone="bad" role="alert" title={t("team.link.notSent")}>
        {t("team.link.failed", { email })}
      </Notice>
    );
  return (
    <div className="flex flex-col gap-5">
      <Notice tone="ok" role="status" title={t("team.link.title")}>
        {t(link === null ? "team.link.sent" : "team.link.once", { email })}
      </Notice>
      {link === null ? null : (
        <CopyField label={t("team.link.label")} text={link} copyLabel={t("team.link.copy")} />
      )}
    </div>
  );
}
