import "server-only";
import type { PartnerRole } from "@/lib/platform/access/model/roles";
import type { Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { locales } from "@/lib/platform/i18n/model/locale";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { log } from "@/lib/platform/log/log";
import { createTranslator } from "use-intl/core";
import { sendMail } from "@/lib/platform/mail/send-mail";

type Credentials = {
  environment: string;
  /** Path of the page that shows it. */
  page: string;
  clientIdBefore: string;
  clientIdAfter: string;
  secretReplaced: boolean;
};

/** What a partner's people should hear of although they are not looking at Gancho. */
export type AdminNotice =
  | (Credentials & { kind: "credentialsProposed"; by: string; until: number })
  /** `proposedBy`: where `by` approved what somebody else proposed. */
  | (Credentials & { kind: "credentialsReplaced"; by: string; proposedBy: string | null })
  | { kind: "fourEyesLifted"; page: string; reason: string };

/** Who is told: replacing credentials is the admins' affair, and the rule that takes two people protects everybody. */
const roles: Record<AdminNotice["kind"], readonly PartnerRole[]> = {
  credentialsProposed: ["admin"],
  credentialsReplaced: ["admin"],
  fourEyesLifted: ["admin", "editor", "viewer"],
};

/**
 * Mails it, where mail is set up, to each of them by themselves; also to whoever did it, who may not be the one who has
 * the account now. Never rejects: it is in the history whether or not a mail arrives. Takes the partner's id on trust.
 */
export async function mailNotice(
  executor: Executor,
  partnerId: string,
  notice: AdminNotice,
): Promise<void> {
  const settings = env().mail;
  if (!settings) return;
  try {
    const rows = await executor
      .selectFrom("memberships")
      .innerJoin("users", "users.id", "memberships.user_id")
      .innerJoin("partners", "partners.id", "memberships.partner_id")
      .select(["users.email", "partners.name"])
      .where("partner_id", "=", partnerId)
      .where("role", "in", roles[notice.kind])
      .where("users.disabled_at", "is", null)
      .execute();
    const sent = await Promise.allSettled(
      rows.map(({ email, name }) => sendMail(settings, { to: email, ...noticeText(notice, name) })),
    );
    for (const { reason } of sent.filter((result) => result.status === "rejected"))
      log.error({ err: reason, partnerId }, "a notice could not be mailed");
  } catch (error) {
    log.error({ err: error, partnerId }, "a notice could not be mailed");
  }
}

/** In every language, one below the other: which one its reader speaks is not known. */
export function noticeText(
  notice: AdminNotice,
  partner: string,
): { subject: string; text: string } {
  const parts = locales.map((locale) => {
    const t = createTranslator({
      locale,
      messages: messagesByLocale[locale],
      namespace: "mail.notices",
      timeZone: "UTC",
    });
    const link = new URL(notice.page, env().url).href;
    if (notice.kind === "fourEyesLifted") {
      const { reason } = notice;
      const lines = [t("fourEyesLifted.text", { partner }), t("reason", { reason })];
      return { subject: t("fourEyesLifted.subject", { partner }), lines: [...lines, link] };
    }
    const { kind, by, environment, clientIdBefore: before, clientIdAfter: after } = notice;
    const who = { by, partner, environment };
    const lines = [
      kind === "credentialsProposed"
        ? t("credentialsProposed.text", { ...who, until: new Date(notice.until) })
        : notice.proposedBy === null
          ? t("credentialsReplaced.text", who)
          : t("credentialsReplaced.textApproved", { ...who, author: notice.proposedBy }),
      before === after ? t("clientIdSame", { after }) : t("clientIdMoved", { before, after }),
      ...(notice.secretReplaced ? [t("secretReplaced")] : []),
      t(`${kind}.unexpected`, { partner }),
    ];
    return { subject: t(`${kind}.subject`, { partner }), lines: [...lines, link] };
  });
  return {
    subject: parts.map(({ subject }) => subject).join(" / "),
    text: parts.map(({ lines }) => lines.join("\n\n")).join("\n\n—\n\n"),
  };
}
