import type * as z from "zod/mini";

/**
 * How a save ended. `accepted`: the service acknowledged it and does not show it yet. `overtaken`: another change came
 * before this one was seen. `not_applied`: acknowledged or unclear, and not seen for as long as Gancho followed it.
 */
export const saveOutcomes = [
  "saved",
  "unchanged",
  "partial",
  "not_saved",
  "accepted",
  "unknown",
  "overtaken",
  "not_applied",
] as const;

/** The same for one type. */
export const typeOutcomes = [
  "created",
  "overwritten",
  "unchanged",
  "not_saved",
  "accepted",
  "unknown",
  "overtaken",
  "not_applied",
] as const;

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
