import { assertionSchema, attestationSchema } from "@/lib/platform/auth/model/passkey-response";
import type { PartnerRole } from "@/lib/platform/access/model/roles";
import type { CheckedItem } from "@/lib/history/model/item";
import type { CreationOptions, RequestOptions } from "@/lib/platform/auth/model/passkey-options";
import type { ShownAlertSettings } from "@/lib/alerts/model/choices";
import { code, nameField } from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";

/** A session of the person's. Timestamps are ISO 8601. */
export type AccountSession = {
  /** Identifies the row; grants no access. */
  key: string;
  signedInAt: string;
  lastUsedAt: string;
  /** null where it was not recorded. */
  address: string | null;
  /** null where unknown. */
  browser: string | null;
  system: string | null;
  /** The one of this request. */
  here: boolean;
};

/** A passkey of the person's. Timestamps are ISO 8601. */
export type AccountPasskey = {
  id: string;
  name: string;
  createdAt: string;
  /** null: not since it was added. */
  lastUsedAt: string | null;
};

/** A partner that the person belongs to. */
export type AccountPartner = {
  id: string;
  name: string;
  role: PartnerRole;
  /** Nobody else could manage it, so they cannot leave. */
  onlyAdmin: boolean;
};

/** A person's view of their own account. */
export type Account = {
  id: string;
  name: string;
  email: string;
  /** Without one, single sign-on is the only way in. `off`: that is so for everybody here. */
  password: "set" | "none" | "off";
  /** One-time codes; null where they are not set up. */
  codes: { since: string; recoveryCodesLeft: number } | null;
  /** Whether they must be set up before anything else opens; until then `sessions` and `activity` are empty, too. */
  codesMissing: boolean;
  passkeys: AccountPasskey[];
  /** Whether browsers make passkeys for this Gancho's address. */
  passkeysWork: boolean;
  /** Whether one must be added, or used, before anything else opens; null: neither. */
  passkeyMissing: "add" | "use" | null;
  /** By name; none before anything else opens. */
  partners: AccountPartner[];
  /** The session of this request first, then by last use. */
  sessions: AccountSession[];
  /** Recent entries by them or about their account, newest first. */
  activity: CheckedItem[];
  /** Which alerts they get by mail; null before anything else opens. */
  alerts: ShownAlertSettings | null;
};

/** Longer than any password that is accepted; the server checks its own rules. */
const password = z
  .string(code("not_text"))
  .check(z.minLength(1, code("required")), z.maxLength(1_000, code("too_long")));

/** `POST /api/account/password`: its body, and its answer. */
export const passwordChangeSchema = z.strictObject({ current: password, password });
export type PasswordChange = z.infer<typeof passwordChangeSchema>;

/** `PUT /api/account/name`: its body. */
export const nameChangeSchema = z.strictObject({ name: nameField(100) });
export type NameChange = z.infer<typeof nameChangeSchema>;

/** `DELETE /api/account/sessions`: its body. */
export const endSessionsSchema = z.strictObject({
  which: z.enum(["others", "all", "one"], code("not_offered")),
  /** Which one, by its key in the list. */
  key: z.optional(z.string(code("not_text")).check(z.regex(/^[0-9a-f]{12}$/, code("not_offered")))),
});
export type EndSessions = z.infer<typeof endSessionsSchema>;

/** The answer of both: how many other sessions were ended. */
export const endedSessionsSchema = z.object({ ended: z.number() });
export type EndedSessions = z.infer<typeof endedSessionsSchema>;

/** `POST /api/account/one-time-codes`: its body, and what an authenticator app needs. Shown once. */
export const beginCodesSchema = z.strictObject({ password });
export type BeginCodes = z.infer<typeof beginCodesSchema>;
export const begunCodesSchema = z.object({
  /** Base32, in groups of four. */
  secret: z.string(),
  /** `otpauth://`, for an app on this device. */
  uri: z.string(),
  /** The same as a picture: an SVG path in a square of `size` modules. */
  picture: z.object({ size: z.number(), path: z.string() }),
});
export type BegunCodes = z.infer<typeof begunCodesSchema>;

/** As typed; the server knows what a code looks like. */
const oneTimeCode = z
  .string(code("not_text"))
  .check(z.minLength(1, code("required")), z.maxLength(100, code("too_long")));

/** `PUT /api/account/one-time-codes`: its body, and the recovery codes, which renewing them answers, too. */
export const confirmCodesSchema = z.strictObject({ code: oneTimeCode });
export type ConfirmCodes = z.infer<typeof confirmCodesSchema>;
export const confirmedCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });
export type ConfirmedCodes = z.infer<typeof confirmedCodesSchema>;

/** `DELETE /api/account/one-time-codes` and `POST /api/account/recovery-codes`: their body. */
export const bothProofsSchema = z.strictObject({ password, code: oneTimeCode });
export type BothProofs = z.infer<typeof bothProofsSchema>;

/** Passed through: the browser validates what it is asked to sign. */
const optionsFor = <Options>() =>
  z.custom<Options>((value) => typeof value === "object" && value !== null);

/** `POST /api/account/passkeys`: its body, and its answer. `code`: where codes are on and no passkey was just used. */
export const beginPasskeySchema = z.strictObject({ code: z.optional(oneTimeCode) });
export type BeginPasskey = z.infer<typeof beginPasskeySchema>;
export const begunPasskeySchema = z.object({ options: optionsFor<CreationOptions>() });
export type BegunPasskey = z.infer<typeof begunPasskeySchema>;

/** `PUT /api/account/passkeys`: its body. */
export const newPasskeySchema = z.strictObject({
  name: nameField(60),
  attestation: attestationSchema,
});
export type NewPasskey = z.infer<typeof newPasskeySchema>;

/** `DELETE /api/account/passkeys`: its body. */
export const removePasskeySchema = z.strictObject({
  passkey: z.string(code("not_text")).check(z.regex(/^[0-9a-f]{64}$/, code("not_offered"))),
});

/** `POST /api/account/step-up`: its answer: how the person can prove their identity. */
export const stepUpOptionsSchema = z.object({
  /** How an action that asks for a step-up would have the person prove it now; null: they have. */
  needed: z.nullable(z.enum(["passkey", "any"])),
  password: z.boolean(),
  /** The name of the provider at which they can sign in anew; null where that is none of the ways. */
  provider: z.nullable(z.string()),
  /** What one of their passkeys would have to sign; null where they have none. */
  passkey: z.nullable(optionsFor<RequestOptions>()),
});
export type StepUpOptions = z.infer<typeof stepUpOptionsSchema>;

/** `PUT /api/account/step-up`: its body. */
export const stepUpProofSchema = z.union(
  [z.strictObject({ password }), z.strictObject({ passkey: assertionSchema })],
  code("not_an_object"),
);
export type StepUpProof = z.infer<typeof stepUpProofSchema>;

/** The answer of a change without a result. */
export const doneSchema = z.object({});
