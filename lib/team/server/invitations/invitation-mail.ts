import "server-only";
import type { InvitationRow } from "@/lib/platform/database/tables";
import type { Locale } from "@/lib/platform/i18n/model/locale";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { createTranslator } from "use-intl/core";
import type { LinkDelivery } from "@/lib/platform/mail/model/link-delivery";
import { deliver, withoutLinks } from "@/lib/platform/mail/send-mail";

type InvitationMail = {
  row: InvitationRow;
  link: string;
  /** The partner's name. */
  partner: string;
  /** The inviting person's, since the invited one's is not known yet. */
  locale: Locale;
  requestId: string;
};

/** Sends the link, if mail is set up. Does not throw where that fails: a new one can be sent. */
export function sendInvitation({ requestId, ...mail }: InvitationMail): Promise<LinkDelivery> {
  const what = { kind: "invitation", requestId };
  return deliver(() => ({ to: mail.row.email, ...invitationText(mail) }), what);
}

/** Plain text, so that names cannot become links or pictures. */
export function invitationText({ row, link, partner, locale }: Omit<InvitationMail, "requestId">) {
  const messages = messagesByLocale[locale];
  const t = createTranslator({ locale, messages, namespace: "mail.invitation" });
  const roles = createTranslator({ locale, messages, namespace: "common.roles" });
  const hours = Math.round((row.expires_at - row.created_at) / 3_600_000);
  const text = [
    t("greeting", { name: row.name === null ? row.email : withoutLinks(row.name) }),
    t("invited", {
      by: withoutLinks(row.invited_by),
      partner: withoutLinks(partner),
      role: roles(row.role),
    }),
    t("open"),
    link,
    t("once", { hours }),
    t("unexpected"),
  ].join("\n\n");
  return { subject: t("subject", { partner: withoutLinks(partner) }), text };
}
