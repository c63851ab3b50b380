import "server-only";
import type { InvitationRow } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import type { Locale } from "@/lib/platform/i18n/model/locale";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { createTranslator } from "use-intl/core";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { LinkDelivery } from "@/lib/platform/mail/model/link-delivery";
import { deliver, withoutLinks } from "@/lib/platform/mail/send-mail";

type InvitationMail = {
  row: InvitationRow;
  /** The inviting person's name; null: the installation. */
  invitedBy: string | null;
  link: string;
  /** The partner's name. */
  partner: string;
  /** The inviting person's, since the invited one's is not known yet; where nobody invites, all, one below the other. */
  locales: readonly Locale[];
  requestId?: string;
};

/** Sends the link, if mail is set up. Does not throw where that fails: a new one can be sent. */
export function sendInvitation({ requestId, ...mail }: InvitationMail): Promise<LinkDelivery> {
  const what = { kind: "invitation", ...(requestId !== undefined && { requestId }) };
  return deliver(() => ({ to: mail.row.email, ...invitationText(mail) }), what);
}

/** Plain text, so that names cannot become links or pictures. */
export function invitationText({ locales, ...mail }: Omit<InvitationMail, "requestId">) {
  const written = locales.map((locale) => inOne(locale, mail));
  return {
    subject: written.map(({ subject }) => subject).join(" / "),
    text: written.map(({ text }) => text).join("\n\n—\n\n"),
  };
}

type Contents = Omit<InvitationMail, "requestId" | "locales">;

function inOne(locale: Locale, { row, invitedBy, link, partner }: Contents) {
  const messages = messagesByLocale[locale];
  const product = env().brand.name;
  const t = createTranslator({ locale, messages, namespace: "mail.invitation" });
  const roles = createTranslator({ locale, messages, namespace: "common.roles" });
  // A mail that failed may go out days after the invitation was made.
  const hours = Math.max(1, Math.round((row.expires_at - databaseTime()) / 3_600_000));
  const life = { days: hours < 48 ? 0 : Math.floor(hours / 24), hours };
  const offer = { product, partner: withoutLinks(partner), role: roles(row.role) };
  const text = [
    t("greeting", { name: row.name === null ? row.email : withoutLinks(row.name) }),
    invitedBy === null
      ? t("invitedByOperator", offer)
      : t("invited", { ...offer, by: withoutLinks(invitedBy) }),
    t("open"),
    link,
    t("once", life),
    t("unexpected"),
  ].join("\n\n");
  return { subject: t("subject", { partner: withoutLinks(partner), product }), text };
}
