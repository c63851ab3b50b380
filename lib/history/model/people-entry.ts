import * as z from "zod/mini";

/** As far as the browser says; none of its own words. */
const browser = { browser: z.nullable(z.string()), system: z.nullable(z.string()) };

/** The person whom an operator's act, or one at the terminal, is about. */
const person = z.object({ userId: z.string(), name: z.string(), email: z.string() });
const staffRole = z.enum(["support", "operator"]);

/** The person's second factor: a one-time code, or a recovery code in its place. */
const code = z.enum(["one_time_code", "recovery_code"]);

/** How long further attempts were refused, in seconds, where this one was the last of too many. */
const blockedSeconds = z.nullable(z.number());

/**
 * What entries about the people of the installation carry besides their columns: in a chain of its own, since a sign-in
 * belongs to a person, who may belong to many partners or to none. The actor is the person who acted; for a refused
 * attempt, the person of the account, if there is one. No entry contains what was typed.
 */
export const peopleDetail = {
  /** `knownBrowser`: the person had signed in with it before; null where that was not checked. */
  signed_in: z.object({
    by: z.enum(["password", "single_sign_on", "passkey"]),
    code: z.nullable(code),
    recoveryCodesLeft: z.nullable(z.number()),
    knownBrowser: z.nullable(z.boolean()),
    ...browser,
  }),
  /** The password was right; signing in takes a code, too. */
  sign_in_begun: z.object({ knownBrowser: z.boolean(), ...browser }),
  /** The outcome says why; `reason` is a code of single-sign-on-failure.ts. */
  sign_in_refused: z.object({ reason: z.nullable(z.string()), blockedSeconds, ...browser }),
  /** In an open session: a proof that it needed to go on was wrong. The outcome says what. */
  confirmation_refused: z.object({ blockedSeconds }),
  /** The outcome says how: on purpose, or by the next sign-in in the same browser. */
  signed_out: z.object({}),
  /** The outcome says which: all others, or all. `ended`: how many others were open. */
  sessions_ended: z.object({ ended: z.number() }),
  /**
   * The outcome says how: by a person who knew the old one, only in how it is stored, or by a link: what that proved,
   * and who had made it.
   */
  password_changed: z.object({
    link: z.optional(
      z.object({
        proves: z.nullable(z.enum(["mail", "terminal"])),
        by: z.nullable(z.string()),
        byId: z.optional(z.string()),
      }),
    ),
  }),
  /** The outcome says how the person proved the address; the rest, what the account had until then and lost. */
  address_proven: z.object({
    password: z.boolean(),
    codes: z.boolean(),
    /** How many; older entries do not say. */
    passkeys: z.optional(z.number()),
    sessions: z.number(),
  }),
  /** The outcome says whether on, off, or with new recovery codes; `by`: the proof given for that. */
  one_time_codes_changed: z.object({ by: z.nullable(code) }),

  /** By an invitation; linking a single sign-on account is an entry of its own. */
  account_created: person,
  /**
   * From now on this account of the provider of single sign-on signs the person in. `ofNewAccount`: they had none here.
   */
  account_linked: z.extend(person, { ofNewAccount: z.optional(z.literal(true)) }),
  /** `passkey`: its id here. */
  passkey_added: z.object({ passkey: z.string(), name: z.string() }),
  passkey_removed: z.object({ passkey: z.string(), name: z.string() }),

  one_time_codes_reset: person,
  /** `count`: how many there were. */
  passkeys_reset: z.extend(person, { count: z.number() }),
  account_unlinked: person,
  staff_added: z.extend(person, { role: staffRole }),
  /** By the provider of single sign-on; null: no staff. */
  staff_role_changed: z.extend(person, {
    before: z.nullable(staffRole),
    after: z.nullable(staffRole),
  }),
  /** The outcome says whether access was removed or restored. */
  staff_access_changed: person,
  /** The outcome says how it reached the person; null, in older ones, by hand. A requested one has no actor. */
  password_link_made: person,

  /**
   * The operator of the installation erased what Gancho knows of a person. `userId`: their account; null where there
   * were only invitations.
   */
  person_erased: z.object({ userId: z.nullable(z.string()) }),

  /**
   * As `history_restored`, in the history of the people. How many `sessions` and password `links` of the backup were
   * ended: what had ended since would have worked again.
   */
  installation_restored: z.object({ sessions: z.number(), links: z.number() }),
} as const;
