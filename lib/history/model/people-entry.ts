import * as z from "zod/mini";

/** As far as the browser says; nothing of its own words. */
const browser = { browser: z.nullable(z.string()), system: z.nullable(z.string()) };

/** Whom an operator's act, or one at the terminal, is about. */
const person = z.object({ userId: z.string(), name: z.string(), email: z.string() });
const staffRole = z.enum(["support", "operator"]);

/** What one's own means were: a one-time code, or a recovery code in its place. */
const code = z.enum(["one_time_code", "recovery_code"]);

/** How long further attempts were not looked at, in seconds, where this one was the last of too many. */
const blockedSeconds = z.nullable(z.number());

/**
 * What entries about the people of the installation carry besides their columns: in a chain of its own, since a sign-in
 * belongs to a person, who may be in many partners or in none. The actor is whoever acted; of an attempt that was
 * refused, the person at whose account it was made, if there is one. What was typed is in no entry.
 */
export const peopleDetail = {
  /** `knownBrowser`: the person had signed in in it before; null where that is not asked. */
  signed_in: z.object({
    by: z.enum(["password", "single_sign_on", "passkey"]),
    code: z.nullable(code),
    recoveryCodesLeft: z.nullable(z.number()),
    knownBrowser: z.nullable(z.boolean()),
    ...browser,
  }),
  /** The password was right; nobody is signed in before a code is, too. */
  sign_in_begun: z.object({ knownBrowser: z.boolean(), ...browser }),
  /** The outcome says why; `reason` is a code of single-sign-on-failure.ts. */
  sign_in_refused: z.object({ reason: z.nullable(z.string()), blockedSeconds, ...browser }),
  /** In an open session: what had to be given again to go on was wrong. The outcome says what. */
  confirmation_refused: z.object({ blockedSeconds }),
  /** The outcome says how: on purpose, or by the next sign-in in the same browser. */
  signed_out: z.object({}),
  /** The outcome says which: all others, or all. `ended`: how many others were open. */
  sessions_ended: z.object({ ended: z.number() }),
  /**
   * The outcome says how: by whoever knew the old one, only in how it is stored, or by a link: what that showed, and who
   * had made it.
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
  /** The outcome says how it was shown whose the address is; the rest, what the account had until then and lost. */
  address_proven: z.object({
    password: z.boolean(),
    codes: z.boolean(),
    /** How many; older entries do not say. */
    passkeys: z.optional(z.number()),
    sessions: z.number(),
  }),
  /** The outcome says whether on, off, or with new recovery codes; `by`: what was given for that. */
  one_time_codes_changed: z.object({ by: z.nullable(code) }),

  /** By an invitation; single sign-on accounts are linked by an entry of their own. */
  account_created: person,
  /** From now on this account of the provider of single sign-on signs the person in. `ofNewAccount`: who had none here. */
  account_linked: z.extend(person, { ofNewAccount: z.optional(z.literal(true)) }),
  /** `passkey`: its id here; with its public key, what it signs can be verified for as long as there is a history. */
  passkey_added: z.object({ passkey: z.string(), name: z.string(), publicKey: z.string() }),
  passkey_removed: z.object({ passkey: z.string(), name: z.string() }),

  one_time_codes_reset: person,
  /** `count`: how many there were. */
  passkeys_reset: z.extend(person, { count: z.number() }),
  account_unlinked: person,
  staff_added: z.extend(person, { role: staffRole }),
  /** By what the provider of single sign-on says; null: no staff. */
  staff_role_changed: z.extend(person, {
    before: z.nullable(staffRole),
    after: z.nullable(staffRole),
  }),
  /** The outcome says whether it was taken away or given back. */
  staff_access_changed: person,
  /** The outcome says how it came to the person; null, in older ones, by hand. Nobody is the actor of one asked for. */
  password_link_made: person,

  /**
   * Whoever runs the installation had what Gancho knows of a person erased. `userId`: whose account it was; null where
   * there were only invitations. `keys`: the keys that were destroyed, under which other entries say who it was.
   */
  person_erased: z.object({ userId: z.nullable(z.string()), keys: z.array(z.string()) }),
} as const;
