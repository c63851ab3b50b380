import "server-only";
import { alertRules, type Alert, type AlertChange } from "@/lib/alerts/model/alert";
import { erasedPerson } from "@/lib/platform/secrets/model/people";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { locales, mailLocales, type Locale } from "@/lib/platform/i18n/model/locale";
import { mailMoment } from "@/lib/platform/mail/mail-moment";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { sendMail, withoutLinks } from "@/lib/platform/mail/send-mail";
import { createTranslator } from "use-intl/core";
import { toAddress } from "./enqueue";
import { pageOf, partnerName, type Delivery } from "./delivery";

/** Mails it to a person, in their language, or to an alert address. Rejects when the mail server does not take it. */
export async function mailAlert(recipient: string, { id, at, alert }: Delivery): Promise<void> {
  const { mail, url, defaultLocale } = env();
  if (!mail) throw new Error("mail is not set up any more");
  const isAddress = recipient.startsWith(toAddress);
  const { email, name, locale } = isAddress
    ? await mailboxOf(recipient.slice(toAddress.length))
    : await db()
        .selectFrom("users")
        .select(["email", "name", "locale"])
        .where("id", "=", recipient)
        .executeTakeFirstOrThrow();
  const partner = "partnerId" in alert ? await partnerName(alert.partnerId) : "";
  const context = { alert, at, partner, name, isAddress };
  const text = alertText(context, mailLocales(locale, defaultLocale));
  await sendMail(mail, { to: email, ...text, id: `${id}@${url.hostname}` });
}

async function mailboxOf(id: string) {
  const { address } = await db()
    .selectFrom("alert_addresses")
    .select("address")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { email: address, name: "", locale: null };
}

type AlertContext = {
  alert: Alert;
  at: number;
  /** The partner's name; empty for alerts about none. */
  partner: string;
  /** The addressee's; empty for an alert address. */
  name: string;
  isAddress?: boolean;
};

/**
 * In each of the languages, one below the other: all of them where the person's is unknown. Plain text, so that names
 * and reasons cannot become links or pictures.
 */
export function alertText(
  context: AlertContext,
  into: readonly Locale[] = locales,
): { subject: string; text: string } {
  const isOfAccount = alertRules[context.alert.kind].to === "person";
  const { alert, at, partner, name, isAddress = false } = context;
  const safe = {
    isAddress,
    alert: withoutLinksIn(alert),
    at,
    partner: withoutLinks(partner),
    name: withoutLinks(name),
  };
  const written = into.map((locale) => inOne(locale, safe));
  const subject = written.map((one) => one.subject).join(" / ");
  return {
    subject: isOfAccount ? `${env().brand.name}: ${subject}` : subject,
    text: written.map(({ lines }) => lines.join("\n\n")).join("\n\n—\n\n"),
  };
}

/** Applies `words` to the texts that people chose; the hosts of callbacks stay as they are. */
const chosenFields: ReadonlySet<string> = new Set([
  "by",
  "clientIdAfter",
  "clientIdBefore",
  "name",
  "proposedBy",
  "reason",
]);

function withoutLinksIn(alert: Alert): Alert {
  return mapChosen(alert, withoutLinks);
}

function mapChosen(alert: Alert, words: (text: string) => string): Alert {
  return JSON.parse(JSON.stringify(alert), (key, value: unknown) =>
    chosenFields.has(key) && typeof value === "string" ? words(value) : value,
  ) as Alert;
}

type Written = { subject: string; lines: string[] };

function inOne(locale: Locale, context: AlertContext): Written {
  const { alert: described, at, partner, name, isAddress } = context;
  const messages = messagesByLocale[locale];
  const erased = createTranslator({ locale, messages, namespace: "common" })("erasedPerson");
  const alert = mapChosen(described, (text) => (text === erasedPerson ? erased : text));
  const t = createTranslator({ locale, messages, namespace: "mail" });
  const problems = createTranslator({ locale, messages, namespace: "problems" });
  const checked = createTranslator({ locale, messages, namespace: "endpointCheck" });
  const { url } = env();
  const link = new URL(pageOf(alert), url).href;
  const named = "environment" in alert ? alert.environment : "";
  const environments: Record<string, string> = messages.common.environments;
  const environment = (environments[named] ?? named).toLowerCase();
  const where = { partner, environment };
  const moment = (ms: number) => mailMoment(locale, ms);
  const when = t("alerts.at", { at: moment(at) });

  const change = ({ type: of, before, after, moved, value, without }: AlertChange) => {
    const type = t(`alerts.types.${of}`);
    if (before === null || after === null)
      return after === null
        ? t("alerts.change.removed", { type, before: before ?? "" })
        : t("alerts.change.registered", { type, after });
    if (moved) return t("alerts.change.moved", { type, before, after });
    if (without) return t("alerts.change.without", { type, after });
    return t(value === "other" ? "alerts.change.value" : "alerts.change.same", { type, after });
  };
  const changes = (all: readonly AlertChange[]) => all.map(change).join("\n");
  const why = (code: string) => (isProblemCode(code) ? problems(`${code}.title`) : code);
  const aboutPartner = (subject: string, lines: readonly string[]): Written => ({
    subject,
    lines: [...lines, link, ...footer()],
  });
  const footer = () =>
    isAddress
      ? [t("alerts.footer.address", { partner })]
      : alertRules[alert.kind].choice === null
        ? [t("alerts.footer.security")]
        : [`${t("alerts.footer.choice")} ${new URL("/account", url).href}`];

  switch (alert.kind) {
    case "changed_outside": {
      const onlyValues = alert.changes.every(({ value }) => value === "other");
      const words = onlyValues ? "other_value" : "changed_outside";
      return aboutPartner(t(`alerts.${words}.subject`, where), [
        t(`alerts.${words}.text`, where),
        changes(alert.changes),
        // The time of the change is unknown.
        t("alerts.seen", { at: moment(at) }),
        ...(alert.isLast ? [t("alerts.changed_outside.last")] : []),
        ...(alert.changes.some(({ before, after, moved }) => before && after && moved)
          ? [t("alerts.changed_outside.exposed")]
          : []),
        t(`alerts.${words}.next`),
      ]);
    }
    case "address_changed":
    case "authorization_removed": {
      const { kind, by, proposedBy: author } = alert;
      return aboutPartner(t(`alerts.${kind}.subject`, where), [
        author === null
          ? t(`alerts.${kind}.text`, { ...where, by })
          : t(`alerts.${kind}.textApproved`, { ...where, by, author }),
        changes(alert.changes),
        ...alert.changes.flatMap(({ type: of, moved, value, without }) => {
          const type = t(`alerts.types.${of}`);
          return [
            ...(moved && without ? [t("alerts.address_changed.without", { type })] : []),
            ...(value ? [t(`alerts.address_changed.${value}`, { type })] : []),
          ];
        }),
        when,
        t(`alerts.${kind}.next`),
      ]);
    }
    case "authorization_revealed": {
      const type = t(`alerts.types.${alert.type}`);
      return aboutPartner(t("alerts.authorization_revealed.subject", where), [
        t("alerts.authorization_revealed.text", { ...where, by: alert.by, type }),
        when,
        t("alerts.authorization_revealed.next"),
      ]);
    }
    case "credentials_proposed":
    case "credentials_replaced": {
      const { clientIdBefore: before, clientIdAfter: after } = alert;
      const who = { ...where, by: alert.by ?? t("alerts.operator") };
      return aboutPartner(t(`alerts.${alert.kind}.subject`, { partner }), [
        alert.kind === "credentials_proposed"
          ? t("alerts.credentials_proposed.text", { ...who, until: moment(alert.until) })
          : alert.proposedBy === null
            ? t("alerts.credentials_replaced.text", who)
            : t("alerts.credentials_replaced.textApproved", { ...who, author: alert.proposedBy }),
        before === after
          ? t("alerts.clientIdSame", { after })
          : t("alerts.clientIdMoved", { before, after }),
        ...(alert.secretReplaced ? [t("alerts.secretReplaced")] : []),
        ...("reason" in alert && alert.reason
          ? [t("alerts.reason", { reason: alert.reason })]
          : []),
        when,
        t(`alerts.${alert.kind}.next`, { partner }),
      ]);
    }
    case "four_eyes_lifted":
      return aboutPartner(t("alerts.four_eyes_lifted.subject", { partner }), [
        t("alerts.four_eyes_lifted.text", { partner }),
        t("alerts.reason", { reason: alert.reason }),
        when,
      ]);
    case "admin_added":
      return aboutPartner(t("alerts.admin_added.subject", { partner }), [
        alert.claimed
          ? t("alerts.admin_added.textClaimed", { partner, name: alert.name })
          : alert.by === null
            ? t("alerts.admin_added.text", { partner, name: alert.name })
            : t("alerts.admin_added.textRaised", { partner, name: alert.name, by: alert.by }),
        when,
        t(alert.claimed ? "alerts.admin_added.nextClaimed" : "alerts.admin_added.next"),
      ]);
    case "admin_removed": {
      const who = { partner, name: alert.name, by: alert.by ?? t("alerts.operator") };
      const removed = alert.left ? "textLeft" : "text";
      return aboutPartner(t("alerts.admin_removed.subject", { partner }), [
        alert.claimed
          ? t("alerts.admin_removed.textClaimed", { partner, name: alert.name })
          : t(`alerts.admin_removed.${alert.role === null ? removed : "textLowered"}`, who),
        when,
        t("alerts.admin_removed.next"),
      ]);
    }
    case "approval_waits": {
      const until = moment(alert.until);
      return aboutPartner(t("alerts.approval_waits.subject", where), [
        t("alerts.approval_waits.text", { ...where, by: alert.by, until }),
        changes(alert.changes),
        when,
        t("alerts.approval_waits.next"),
      ]);
    }
    case "approval_decided": {
      const { about, outcome } = alert;
      const what = { ...where, about, author: alert.author.name };
      return aboutPartner(t("alerts.approval_decided.subject", { ...where, outcome }), [
        outcome === "expired"
          ? t("alerts.approval_decided.expired", what)
          : t(`alerts.approval_decided.${outcome}`, { ...what, by: alert.by ?? "" }),
        ...(alert.reason === null ? [] : [t("alerts.reason", { reason: alert.reason })]),
        when,
        ...(outcome === "approved" ? [] : [t("alerts.approval_decided.next")]),
      ]);
    }
    case "endpoint_result": {
      const { host, news, verdict } = alert;
      const endpoint = { ...where, host, type: t(`alerts.types.${alert.type}`) };
      const found = verdict as keyof typeof messages.endpointCheck.verdict;
      return aboutPartner(t("alerts.endpoint_result.subject", { ...endpoint, news }), [
        t(`alerts.endpoint_result.${news}`, endpoint),
        `${checked(`verdict.${found}.title`)} ${checked(`verdict.${found}.text`)}`,
        checked("caveat"),
        t("alerts.endpoint_result.since", { since: moment(alert.since) }),
        t("alerts.endpoint_result.next"),
      ]);
    }
    case "certificate_ends": {
      const { host, days } = alert;
      const endpoint = { ...where, host, type: t(`alerts.types.${alert.type}`) };
      return aboutPartner(t("alerts.certificate_ends.subject", { ...endpoint, days }), [
        t("alerts.certificate_ends.text", { ...endpoint, until: moment(alert.until) }),
        t("alerts.certificate_ends.next"),
      ]);
    }
    case "connection_failing":
    case "service_failing":
      return aboutPartner(t(`alerts.${alert.kind}.subject`, where), [
        t(`alerts.${alert.kind}.text`, { ...where, since: moment(alert.since) }),
        why(alert.problem),
        t(`alerts.${alert.kind}.next`),
      ]);
    case "connection_recovered":
    case "service_recovered":
      return aboutPartner(t(`alerts.${alert.kind}.subject`, where), [
        t(`alerts.${alert.kind}.text`, { ...where, since: moment(alert.since) }),
        when,
        t(`alerts.${alert.kind}.next`),
      ]);
    case "new_device": {
      const { browser, system, clientAddress: address } = alert;
      return {
        subject: t("account.new_device.subject"),
        lines: [
          t("account.greeting", { name }),
          t("account.new_device.text", { host: url.host }),
          browser && system
            ? t("account.new_device.device", { browser, system })
            : t("account.new_device.deviceUnknown"),
          ...(address === null ? [] : [t("account.new_device.address", { address })]),
          when,
          t("account.new_device.next"),
          link,
        ],
      };
    }
    default:
      return {
        subject: t(`account.${alert.kind}.subject`),
        lines: [
          t("account.greeting", { name }),
          t(`account.${alert.kind}.text`, { host: url.host }),
          when,
          t("account.notYou"),
        ],
      };
  }
}
