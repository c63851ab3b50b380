import type { HistoryDetail, PeopleKind } from "@/lib/history/model/entry";
import type { HistoryItem } from "@/lib/history/model/item";
import {
  DatabaseBackup,
  Fingerprint,
  KeyRound,
  Link2,
  LogIn,
  LogOut,
  MailCheck,
  ShieldCheck,
  ShieldOff,
  Unlink,
  UserCheck,
  UserCog,
  UserPlus,
  UserX,
} from "lucide-react";
import { describeConfirmationRefused, describeSignInRefused } from "./describe-refusal";
import type { Description, Translate } from "./description";

type Describe<Detail> = (detail: Detail, item: HistoryItem, t: Translate) => Description | null;

const plain = { tone: "neutral" } as const;

/** The words for what the people of the installation did. Null for an unknown outcome. */
export const peopleWords: { [Kind in PeopleKind]: Describe<HistoryDetail[Kind]> } = {
  signed_in: ({ by, code, recoveryCodesLeft: left, ...from }, _item, t) => ({
    tone: code === "recovery_code" ? "warn" : "ok",
    icon: LogIn,
    sentence: t(`timeline.people.signedIn.${code ?? by}`),
    notes: [
      ...browserNotes(from, t),
      ...(left === null ? [] : [t("timeline.people.recoveryCodesLeft", { count: left })]),
    ],
  }),
  sign_in_begun: (from, _item, t) => ({
    ...plain,
    icon: KeyRound,
    sentence: t("timeline.people.signInBegun"),
    notes: browserNotes(from, t),
  }),
  sign_in_refused: (detail, item, t) => {
    const description = describeSignInRefused(detail, item, t);
    return (
      description && {
        ...description,
        notes: [...browserNotes(detail, t), ...(description.notes ?? [])],
      }
    );
  },
  confirmation_refused: describeConfirmationRefused,
  signed_out: (_detail, { outcome }, t) => {
    const how = (["signed_out", "replaced"] as const).find((one) => one === outcome);
    return how ? { ...plain, icon: LogOut, sentence: t(`timeline.people.signedOut.${how}`) } : null;
  },
  sessions_ended: ({ ended }, { outcome }, t) => {
    const which = (["others", "all"] as const).find((one) => one === outcome);
    return which
      ? {
          ...plain,
          icon: LogOut,
          sentence: t(`timeline.people.sessionsEnded.${which}`),
          notes: [t("timeline.people.othersEnded", { count: ended })],
        }
      : null;
  },
  password_changed: ({ link }, { outcome }, t) => {
    const how = (["changed", "by_link"] as const).find((one) => one === outcome);
    return how
      ? {
          tone: link?.proves === null ? "warn" : "neutral",
          icon: KeyRound,
          sentence: t(`timeline.people.password.${how}`),
          notes: link ? linkNotes(link, t) : [],
        }
      : null;
  },
  address_proven: ({ password, codes, passkeys = 0, sessions }, { outcome }, t) => {
    const by = (["provider", "mail", "terminal"] as const).find((one) => one === outcome);
    const dropped = password || codes || passkeys > 0;
    return by
      ? {
          tone: dropped ? "warn" : "ok",
          icon: MailCheck,
          sentence: t(`timeline.people.proven.${by}`),
          notes: [
            ...(password ? [t("timeline.people.proven.password")] : []),
            ...(codes ? [t("timeline.people.proven.codes")] : []),
            ...(passkeys > 0 ? [t("timeline.people.proven.passkeys", { count: passkeys })] : []),
            ...(sessions > 0 ? [t("timeline.people.proven.sessions", { count: sessions })] : []),
          ],
        }
      : null;
  },
  one_time_codes_changed: ({ by }, { outcome }, t) => {
    const state = (["on", "off", "renewed"] as const).find((one) => one === outcome);
    if (!state) return null;
    return {
      tone: state === "off" ? "warn" : "ok",
      icon: state === "off" ? ShieldOff : ShieldCheck,
      sentence: t(`timeline.people.codes.${state}`),
      ...(by === "recovery_code" && { notes: [t("timeline.people.codes.byRecoveryCode")] }),
    };
  },

  passkey_added: ({ name }, _item, t) => ({
    tone: "ok",
    icon: Fingerprint,
    sentence: isUnnamed(name, t)
      ? t("timeline.people.passkey.addedUnnamed")
      : t("timeline.people.passkey.added", { name }),
  }),
  passkey_removed: ({ name }, _item, t) => ({
    tone: "warn",
    icon: Fingerprint,
    sentence: isUnnamed(name, t)
      ? t("timeline.people.passkey.removedUnnamed")
      : t("timeline.people.passkey.removed", { name }),
  }),

  passkeys_reset: ({ name, email, count }, _item, t) => ({
    tone: "warn",
    icon: ShieldOff,
    sentence: t("timeline.people.passkey.reset", { name, count }),
    notes: [email],
  }),
  one_time_codes_reset: ({ name, email }, _item, t) => ({
    tone: "warn",
    icon: ShieldOff,
    sentence: t("timeline.people.codesReset", { name }),
    notes: [email],
  }),
  account_created: ({ name, email }, _item, t) => ({
    ...plain,
    icon: UserPlus,
    sentence: t("timeline.people.accountCreated", { name }),
    notes: [email],
  }),
  account_linked: ({ name, email }, _item, t) => ({
    ...plain,
    icon: Link2,
    sentence: t("timeline.people.linked", { name }),
    notes: [email],
  }),
  account_unlinked: ({ name, email }, _item, t) => ({
    tone: "warn",
    icon: Unlink,
    sentence: t("timeline.people.unlinked", { name }),
    notes: [email],
  }),
  password_link_made: ({ name, email }, { outcome }, t) => {
    const way = (["handed", "mailed", "asked", "terminal"] as const).find((one) => one === outcome);
    return {
      tone: way === "handed" ? "warn" : "neutral",
      icon: Link2,
      sentence: t(`timeline.people.${way === "asked" ? "linkAsked" : "linkMade"}`, { name }),
      notes: [...(way ? [t(`timeline.people.link.${way}`)] : []), email],
    };
  },
  staff_added: ({ name, email, role }, _item, t) => ({
    ...plain,
    icon: UserPlus,
    sentence: t("timeline.people.staffAdded", { name, role: t(`timeline.people.roles.${role}`) }),
    notes: [email],
  }),
  staff_role_changed: ({ name, email, before, after }, _item, t) => ({
    tone: "warn",
    icon: UserCog,
    sentence: t("timeline.entry.roleChanged", {
      name,
      before: t(`timeline.people.roles.${before ?? "none"}`),
      after: t(`timeline.people.roles.${after ?? "none"}`),
    }),
    notes: [t("timeline.people.byProvider"), email],
  }),
  staff_access_changed: ({ name, email }, { outcome }, t) => {
    const state = (["disabled", "enabled"] as const).find((one) => one === outcome);
    return state
      ? {
          ...plain,
          icon: state === "disabled" ? UserX : UserCheck,
          sentence: t(`timeline.people.access.${state}`, { name }),
          notes: [email],
        }
      : null;
  },
  person_erased: (_detail, _item, t) => ({
    ...plain,
    icon: UserX,
    sentence: t("timeline.people.personErased"),
    notes: [t("timeline.people.personErasedNote")],
  }),
  installation_restored: ({ sessions, links }, _item, t) => ({
    tone: "warn",
    icon: DatabaseBackup,
    sentence: t("timeline.entry.restored"),
    notes: [
      t("timeline.people.restoredNote"),
      t("timeline.people.restoredEnded", { sessions, links }),
    ],
  }),
};

/** Who made it, and what it showed. */
function linkNotes(
  { proves, by }: { proves: "mail" | "terminal" | null; by: string | null },
  t: Translate,
): string[] {
  return [
    ...(by ? [t("timeline.people.link.by", { name: by })] : []),
    t(`timeline.people.link.showed.${proves ?? "nothing"}`),
  ];
}

type From = { browser: string | null; system: string | null; knownBrowser?: boolean | null };

/** The browser and system, and whether Gancho knew them: as far as either is known. */
function browserNotes({ browser, system, knownBrowser = null }: From, t: Translate): string[] {
  const device =
    browser && system
      ? t("account.sessions.device", { browser, system })
      : (browser ?? system ?? null);
  if (knownBrowser === null) return device === null ? [] : [device];
  const known = knownBrowser ? "used" : "new";
  return [
    device === null
      ? t(`timeline.people.browser.${known}`)
      : t(`timeline.people.device.${known}`, { device }),
  ];
}

/** The name of a passkey is kept as long as the passkey. */
function isUnnamed(name: string, t: Translate): boolean {
  return name === "" || name === t("common.erasedPerson");
}
