import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";

/** Milliseconds since 1970. */
const timestamp = z.number();
/** A person's id in the outbox, and their name once it is sent. */
const name = z.string();
const byName = z.nullable(name);

const ofPartner = { partnerId: z.string() };
const ofEnvironment = { ...ofPartner, environment: z.string() };
/** `host`: the only part of its address that alerts contain. */
const ofEndpoint = { ...ofEnvironment, type: z.enum(webhookTypes), host: z.string() };
const ofPerson = z.object({ userId: z.string() });

/**
 * One callback, before and after: only hosts, since the rest of an address may grant access. `null`: nothing was
 * registered. `moved`: to another origin, or from or to nothing; else another path, or another Authorization. `value`:
 * the service has the address, and the Authorization value was not confirmed: it does not show it, or shows another. In
 * a change outside Gancho, `other`: only the value that the service shows differs. `without`: a person saved it without
 * an Authorization value.
 */
const change = z.object({
  type: z.enum(webhookTypes),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  moved: z.boolean(),
  value: z.optional(z.enum(["not_shown", "other"])),
  without: z.optional(z.literal(true)),
});
export type AlertChange = z.infer<typeof change>;

const failing = { since: timestamp, problem: z.string() };
const credentials = {
  ...ofEnvironment,
  clientIdBefore: z.string(),
  clientIdAfter: z.string(),
  secretReplaced: z.boolean(),
};

/**
 * The data of each kind of alert: people, hosts and times. Never a secret, a value or its fingerprint, since it is
 * stored as it is and sent to the operators' webhook.
 */
export const alertData = {
  /**
   * The service's configuration was changed outside Gancho. `isLast`: no further changes are reported within this hour.
   */
  changed_outside: z.object({
    ...ofEnvironment,
    changes: z.array(change),
    isLast: z.optional(z.boolean()),
  }),
  /** A production callback leads to another origin. `proposedBy`: where `by` approved somebody else's proposal. */
  address_changed: z.object({
    ...ofEnvironment,
    changes: z.array(change),
    by: name,
    proposedBy: byName,
  }),
  /** The same, where no callback moved: a production callback was saved without its Authorization value. */
  authorization_removed: z.object({
    ...ofEnvironment,
    changes: z.array(change),
    by: name,
    proposedBy: byName,
  }),
  authorization_revealed: z.object({ ...ofEnvironment, type: z.enum(webhookTypes), by: name }),
  credentials_proposed: z.object({ ...credentials, by: name, until: timestamp }),
  /** `by`: null where the operator did, for this `reason`, if they gave one. */
  credentials_replaced: z.object({
    ...credentials,
    by: byName,
    proposedBy: byName,
    reason: z.optional(z.string()),
  }),
  four_eyes_lifted: z.object({ ...ofPartner, reason: z.string() }),
  /** `memberId`: the new admin. `by`: who promoted them; null where they joined as an admin. */
  admin_added: z.object({
    ...ofPartner,
    memberId: z.string(),
    name,
    by: byName,
    claimed: z.optional(z.literal(true)),
  }),
  /**
   * `memberId`: the former admin. `by`: null where the operator erased them. `role`: their current one; null where they
   * were removed. `left`: they did it themselves. `claimed`: the sign-in
   * provider's claim did it.
   */
  admin_removed: z.object({
    ...ofPartner,
    memberId: z.string(),
    name,
    by: byName,
    role: z.nullable(z.string()),
    left: z.optional(z.literal(true)),
    claimed: z.optional(z.literal(true)),
  }),

  approval_waits: z.object({
    ...ofEnvironment,
    changes: z.array(change),
    by: name,
    until: timestamp,
  }),
  approval_decided: z.object({
    ...ofEnvironment,
    about: z.enum(["callback", "credentials"]),
    outcome: z.enum(["approved", "rejected", "expired"]),
    /** null: nobody, it expired. */
    by: byName,
    author: z.object({ id: z.string(), name }),
    reason: z.nullable(z.string()),
  }),

  /**
   * The result of an endpoint's daily check, where its condition differs from the last one reported. `first`: the first
   * since it was switched on. `verdict`: as in lib/endpoint-check.
   */
  endpoint_result: z.object({
    ...ofEndpoint,
    news: z.enum(["first", "changed"]),
    verdict: z.string(),
    since: timestamp,
  }),
  /** Its certificate expires within this many days. */
  certificate_ends: z.object({ ...ofEndpoint, days: z.number(), until: timestamp }),

  /** A connection could not be read for a while. `problem`: its problem code. */
  connection_failing: z.object({ ...ofEnvironment, ...failing }),
  connection_recovered: z.object({ ...ofEnvironment, since: timestamp }),
  /** The service of an environment does not answer: reported to operators, instead of to every partner. */
  service_failing: z.object({ environment: z.string(), ...failing }),
  service_recovered: z.object({ environment: z.string(), since: timestamp }),

  /** A sign-in with a browser that is new for this person. `browser`, `system`: as its User-Agent says. */
  new_device: z.extend(ofPerson, {
    browser: z.nullable(z.string()),
    system: z.nullable(z.string()),
    clientAddress: z.nullable(z.string()),
  }),
  password_changed: ofPerson,
  codes_changed: ofPerson,
  account_linked: ofPerson,
  account_unlinked: ofPerson,
  email_changed: ofPerson,
  passkey_added: ofPerson,
  passkey_removed: ofPerson,
  passkeys_reset: ofPerson,
} as const;

type AlertKind = keyof typeof alertData;
type AlertData = { [Kind in AlertKind]: z.infer<(typeof alertData)[Kind]> };
export type Alert = { [Kind in AlertKind]: { kind: Kind } & AlertData[Kind] }[AlertKind];

export function isAlertKind(kind: string): kind is AlertKind {
  return Object.hasOwn(alertData, kind);
}

/** Groups of alerts that people may switch off for themselves. */
export const alertChoices = ["connection", "approvals", "service"] as const;
export type AlertChoice = (typeof alertChoices)[number];

/** Who gets a kind of alert. The author of a proposal also gets its outcome. */
type Audience = "admins" | "members" | "operators" | "person";

type Rule = {
  to: Audience;
  /** null: security, which nobody can switch off, since an intruder would. */
  choice: AlertChoice | null;
  /** Where to read about it, or act on it; for a decision about credentials, their page. */
  page: "webhooks" | "approvals" | "connection" | "team" | "installation" | "account";
};

export const alertRules: Record<AlertKind, Rule> = {
  changed_outside: { to: "admins", choice: null, page: "webhooks" },
  address_changed: { to: "admins", choice: null, page: "webhooks" },
  authorization_removed: { to: "admins", choice: null, page: "webhooks" },
  authorization_revealed: { to: "admins", choice: null, page: "webhooks" },
  credentials_proposed: { to: "admins", choice: null, page: "connection" },
  credentials_replaced: { to: "admins", choice: null, page: "connection" },
  four_eyes_lifted: { to: "members", choice: null, page: "team" },
  admin_added: { to: "admins", choice: null, page: "team" },
  admin_removed: { to: "admins", choice: null, page: "team" },
  approval_waits: { to: "admins", choice: "approvals", page: "approvals" },
  approval_decided: { to: "admins", choice: "approvals", page: "approvals" },
  endpoint_result: { to: "admins", choice: "connection", page: "webhooks" },
  certificate_ends: { to: "admins", choice: "connection", page: "webhooks" },
  connection_failing: { to: "admins", choice: "connection", page: "connection" },
  connection_recovered: { to: "admins", choice: "connection", page: "connection" },
  service_failing: { to: "operators", choice: "service", page: "installation" },
  service_recovered: { to: "operators", choice: "service", page: "installation" },
  new_device: { to: "person", choice: null, page: "account" },
  password_changed: { to: "person", choice: null, page: "account" },
  codes_changed: { to: "person", choice: null, page: "account" },
  account_linked: { to: "person", choice: null, page: "account" },
  account_unlinked: { to: "person", choice: null, page: "account" },
  email_changed: { to: "person", choice: null, page: "account" },
  passkey_added: { to: "person", choice: null, page: "account" },
  passkey_removed: { to: "person", choice: null, page: "account" },
  passkeys_reset: { to: "person", choice: null, page: "account" },
};

/** Undelivered alerts. */
export type AlertQueue = {
  waiting: number;
  /** When the oldest of them happened, as ISO 8601, UTC; null where none waits. */
  waitingSince: string | null;
  /** Deliveries that were given up, of the last 90 days. */
  givenUp: number;
};
