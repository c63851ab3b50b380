"use client";

import { SheetForm } from "@/components/forms/sheet-form";
import { TextField } from "@/components/forms/text-field";
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
  const [invited, setInvited] = useState<Invited | null>(null);
  const typed: Typed = {
    email: renewing?.email ?? "",
    name: renewing?.name ?? "",
    role: renewing?.role ?? "viewer",
  };
  const form = useApiForm({
    schema: typedSchema,
    values: typed,
    errorOf: useFieldError("team.fieldErrors"),
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
      form={form}
      failed={{ title: t("failed.title"), unreachable: t("failed.noAnswer") }}
      onClose={onClose}
      sent={invited && { to: invited.invitation.email, delivery: invited.mail, link: "invitation" }}
    >
      <TextField
        type="email"
        required
        label={t("inviteSheet.email")}
        hint={t("inviteSheet.emailHint")}
        readOnly={renewing !== null}
        {...form.field("email")}
      />
      {renewing ? null : <TextField label={t("inviteSheet.name")} {...form.field("name")} />}
      <RoleChoice value={role.value} onChange={role.onChange} />
    </SheetForm>
  );
}
