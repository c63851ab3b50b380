import * as z from "zod/mini";
import { kind } from "./kind";

/** Recognised in the User-Agent header, whose own text is not kept. */
const browser = { browser: z.nullable(z.string()), system: z.nullable(z.string()) };

/** The person whom an operator's act, or one at the terminal, is about. */
const person = z.object({ userId: z.string(), name: z.string(), email: z.string() });
const staffRole = z.enum(["support", "operator"]);

/** The person's second factor: a one-time code, or a recovery code in its place. */
const code = z.enum(["one_time_code", "recovery_code"]);

/** Why a proof was refused. */
const refusals = [
  "unknown_person",
  "wrong_password",
  "no_password",
  "disabled",
  "wrong_code",
  "unknown_passkey",
  "wrong_passkey",
  "passkey_counter",
  "single_sign_on",
  "other_account",
  "not_fresh",
] as const;

/** For how many seconds further attempts are refused, where this one reached the limit. */
const blockedSeconds = z.nullable(z.number());

/**
 * The details of entries about the people of the installation. They have a chain of their own, since a sign-in belongs
 * to a person, who may belong to many partners or to none. The actor is the person who acted; for a refused attempt,
 * the person of the account, if there is one. No entry contains what was typed.
 */
export const peopleKinds = {
  /** `knownBrowser`: the person had signed in with it before; null where that was not checked. */
  signed_in: kind({
    detail: z.object({
      by: z.enum(["password", "single_sign_on", "passkey"]),
      code: z.nullable(code),
      recoveryCodesLeft: z.nullable(z.number()),
      knownBrowser: z.nullable(z.boolean()),
      ...browser,
    }),
    about: "sign_in",
    icon: "in",
    tone: "ok",
  }),
  /** The password was right; signing in takes a code, too. */
  sign_in_begun: kind({
    detail: z.object({ knownBrowser: z.boolean(), ...browser }),
    about: "sign_in",
    icon: "key",
  }),
  /** The outcome says why; `failure` is a code of single-sign-on-failure.ts. */
  sign_in_refused: kind({
    detail: z.object({ failure: z.nullable(z.string()), blockedSeconds, ...browser }),
    about: "refusal",
    icon: "refused",
    tone: "bad",
    outcomes: refusals,
  }),
  /** A proof of identity within an open session was wrong. The outcome says why. */
  confirmation_refused: kind({
    detail: z.object({ blockedSeconds }),
    about: "refusal",
    icon: "key",
    tone: "bad",
    outcomes: refusals,
  }),
  /** The outcome says how: on purpose, by the next sign-in in the same browser, or at the provider. */
  signed_out: kind({
    detail: z.object({}),
    about: "sign_in",
    icon: "out",
    outcomes: ["signed_out", "replaced", "at_provider"],
  }),
  /** The outcome says which: all others, one of them, or all. `ended`: how many others were open. */
  sessions_ended: kind({
    detail: z.object({ ended: z.number() }),
    about: "sign_in",
    icon: "out",
    outcomes: ["others", "one", "all"],
  }),
  /** The outcome says how: by a person who knew the old one, or by a link. */
  password_changed: kind({
    detail: z.object({}),
    about: "credentials",
    icon: "key",
    outcomes: ["changed", "by_link"],
  }),
  /** The outcome says whether on, off, or with new recovery codes; `by`: the proof given for that. */
  one_time_codes_changed: kind({
    detail: z.object({ by: z.nullable(code) }),
    about: "credentials",
    outcomes: ["on", "off", "renewed"],
    icon: { off: "shieldOff", else: "shield" },
    tone: { off: "warn", else: "ok" },
  }),

  /** `formerName`: names the row that keeps the name before. */
  name_changed: kind({
    detail: z.object({ userId: z.string(), formerName: z.string(), before: z.string() }),
    about: "credentials",
    icon: "person",
  }),
  /** By an invitation; linking a single sign-on account is an entry of its own. */
  account_created: kind({ detail: person, about: "credentials", icon: "personNew" }),
  /** From now on this single sign-on account signs the person in. `ofNewAccount`: they had no account here before. */
  account_linked: kind({
    detail: z.extend(person, { ofNewAccount: z.optional(z.literal(true)) }),
    about: "credentials",
    icon: "link",
  }),
  /** The provider vouched for another address of theirs at this sign-in, which is their account's from now on. */
  email_changed: kind({ detail: person, about: "credentials", icon: "mail", tone: "warn" }),
  /** `passkey`: its id here. */
  passkey_added: kind({
    detail: z.object({ passkey: z.string(), name: z.string() }),
    about: "credentials",
    icon: "passkey",
    tone: "ok",
  }),
  passkey_removed: kind({
    detail: z.object({ passkey: z.string(), name: z.string() }),
    about: "credentials",
    icon: "passkey",
    tone: "warn",
  }),

  one_time_codes_reset: kind({
    detail: person,
    about: "credentials",
    icon: "shieldOff",
    tone: "warn",
  }),
  /** `count`: how many there were. */
  passkeys_reset: kind({
    detail: z.extend(person, { count: z.number() }),
    about: "credentials",
    icon: "shieldOff",
    tone: "warn",
  }),
  account_unlinked: kind({ detail: person, about: "credentials", icon: "linkOff", tone: "warn" }),
  staff_added: kind({
    detail: z.extend(person, { role: staffRole }),
    about: "staff",
    icon: "personNew",
  }),
  /** Changed by the single sign-on provider; null: not staff. */
  staff_role_changed: kind({
    detail: z.extend(person, {
      before: z.nullable(staffRole),
      after: z.nullable(staffRole),
    }),
    about: "staff",
    icon: "role",
    tone: "warn",
  }),
  /** The outcome says whether access was removed or restored. */
  staff_access_changed: kind({
    detail: person,
    about: "staff",
    outcomes: ["disabled", "enabled"],
    icon: { disabled: "personOff", else: "person" },
  }),
  /** The outcome says whether the person asked for it on the sign-in page, or the operator made it at the terminal. */
  password_link_made: kind({
    detail: person,
    about: "credentials",
    icon: "link",
    outcomes: ["asked", "terminal"],
  }),

  /**
   * The operator of the installation erased what Gancho knows of a person. `userId`: their account; null where there
   * were only invitations.
   */
  person_erased: kind({
    detail: z.object({ userId: z.nullable(z.string()) }),
    about: "staff",
    icon: "personOff",
  }),

  /**
   * `history_restored` in the history of the people. `sessions`, `links`: how many sessions and password links of the
   * backup were ended, since those ended after it would have worked again.
   */
  installation_restored: kind({
    detail: z.object({ sessions: z.number(), links: z.number() }),
    about: "staff",
    icon: "backup",
    tone: "warn",
  }),
} as const;
