import "server-only";
import { env } from "@/lib/platform/env/env";
import { mailLocales, type Locale } from "@/lib/platform/i18n/model/locale";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
// The core of next-intl: next-intl itself loads in Next alone, and mails are sent from the terminal, too.
import { createTranslator } from "use-intl/core";
import { deliver, withoutLinks } from "./send-mail";
import type { LinkDelivery } from "./model/link-delivery";

/** The recipient of a mail about an account: the address is the account's, never a typed one. */
type Addressee = { name: string; email: string };

/** Mails that somebody is waiting for: sent now or not at all. Alerts go through lib/alerts. */
type AccountMail =
  /** `by`: the name of the person who made the link for them; null where it was requested on the sign-in page. */
  | { kind: "password_link"; link: string; hours: number; by: string | null }
  /** They requested a link, and sign in at their provider. */
  | { kind: "no_password"; provider: string };

export function sendAccountMail(to: Addressee, mail: AccountMail): Promise<LinkDelivery> {
  return deliver(() => ({ to: to.email, ...accountMailText(to, mail) }), { kind: mail.kind });
}

/**
 * In every language, one below the other: which one the person reads is unknown, and they must understand such a mail.
 * Plain text: a person's own words cannot become a link or a picture.
 */
function accountMailText(to: Addressee, mail: AccountMail) {
  const written = mailLocales(null, env().defaultLocale).map((locale) => inOne(locale, to, mail));
  return {
    subject: `${env().brand.name}: ${written.map(({ subject }) => subject).join(" / ")}`,
    text: written.map(({ text }) => text).join("\n\n—\n\n"),
  };
}

function inOne(locale: Locale, { name }: Addressee, mail: AccountMail) {
  const messages = messagesByLocale[locale];
  const t = createTranslator({ locale, messages, namespace: "mail.account" });
  const host = env().url.host;
  const lines =
    mail.kind === "password_link"
      ? [
          mail.by === null
            ? t("password_link.asked", { host })
            : t("password_link.made", { by: withoutLinks(mail.by), host }),
          t("password_link.open"),
          mail.link,
          t("password_link.once", { hours: mail.hours }),
          t("password_link.unexpected"),
        ]
      : [
          t("no_password.text", { host, provider: mail.provider }),
          t("no_password.next", { provider: mail.provider }),
        ];
  return {
    subject: t(`${mail.kind}.subject`),
    text: [t("greeting", { name: withoutLinks(name) }), ...lines].join("\n\n"),
  };
}
