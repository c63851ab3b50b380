import type * as z from "zod/mini";

/**
 * What is said of a save and of each of its types, the least done first; docs/decisions/what-was-seen.md says what each
 * means. `unchanged`: nothing was sent, since the service showed it so.
 */
export const saveStates = [
  "not_sent",
  "refused",
  "not_shown",
  "unclear",
  "accepted",
  "partly",
  "saved",
  "unchanged",
] as const;
export type SaveState = (typeof saveStates)[number];

/** What an entry is about, by which the filters find it. */
export type Subject =
  | "webhooks"
  | "access"
  | "endpoint"
  | "connection"
  | "team"
  | "partner"
  | "sign_in"
  | "refusal"
  | "credentials"
  | "staff";

/** Good, to be checked, failed, or neutral. Never conveyed by colour alone: the sentence and the icon say it, too. */
export type Tone = "ok" | "warn" | "bad" | "neutral";

/** Drawn by components/history/icons.ts. */
export type Icon =
  | "archive"
  | "backup"
  | "done"
  | "endpoint"
  | "eye"
  | "eyeOff"
  | "in"
  | "key"
  | "late"
  | "link"
  | "linkOff"
  | "mail"
  | "mailOff"
  | "mailRead"
  | "not"
  | "out"
  | "partner"
  | "passkey"
  | "people"
  | "person"
  | "personNew"
  | "personOff"
  | "plug"
  | "plugOff"
  | "refused"
  | "role"
  | "same"
  | "shield"
  | "shieldOff"
  | "support"
  | "unclear"
  | "undo"
  | "wait"
  | "warning";

/** The same for every outcome, or by outcome. */
type ByOutcome<Value> = Value | { readonly [outcome: string]: Value };

/** One row of the table of kinds. */
export type Kind<Detail extends z.ZodMiniObject = z.ZodMiniObject> = {
  detail: Detail;
  about: Subject;
  /** All possible outcomes, where the kind has any: an entry with another one cannot be read. */
  outcomes?: readonly string[];
  icon: ByOutcome<Icon>;
  /** Neutral by default. */
  tone?: ByOutcome<Tone>;
};

export function kind<Detail extends z.ZodMiniObject>(row: Kind<Detail>): Kind<Detail> {
  return row;
}

/** A row's value for an outcome. */
export function ofOutcome<Value extends string>(
  given: ByOutcome<Value> | undefined,
  outcome: string | null,
): Value | undefined {
  return typeof given === "object" ? (given[outcome ?? ""] ?? given["else"]) : given;
}
