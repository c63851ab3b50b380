import { code, notExpectedObject } from "@/lib/platform/http/model/request-fields";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";
import type { Verdict } from "./check";

/** `PUT …/endpoint-checks/daily`: whether Gancho checks an endpoint every day by itself. */
export const dailyCheckSchema = z.strictObject(
  {
    type: z.enum(webhookTypes, { error: code("not_offered") }),
    on: z.boolean({ error: code("not_offered") }),
  },
  { error: notExpectedObject },
);
export type DailyCheck = z.infer<typeof dailyCheckSchema>;

/**
 * A change of condition is mailed, not one of verdict: a server that is down sometimes answers with an error and
 * sometimes not at all.
 */
type Condition = "only_with" | "unclear" | "refused" | "down" | "open";

const conditionOf: Record<Verdict, Condition> = {
  accepts_only_with: "only_with",
  accepts_with: "unclear",
  refuses_without: "unclear",
  answers_differ: "unclear",
  client_certificate: "unclear",
  value_missing: "refused",
  refuses_with: "refused",
  redirects: "down",
  answers_error: "down",
  no_answer: "down",
  unreachable: "down",
  tls_failed: "down",
  name_not_found: "down",
  not_allowed: "down",
  accepts_without: "open",
};

const minute = 60_000;
const day = 24 * 60 * minute;

/** A new verdict is checked again after this before it is mailed: a server that restarts is no news. */
export const confirmMs = 10 * minute;
/** Days before the end of a certificate at which a mail is sent, once each. */
const certificateDays = [1, 7, 21] as const;
export type CertificateDays = (typeof certificateDays)[number];

/** What the mails have said so far; null: nothing. */
export type Alerted = { condition: Condition | null; days: number | null };

type Found = {
  verdict: Verdict;
  /** Of the certificate; null where none was seen. */
  daysLeft: number | null;
  /** The previous check of this address, daily or by hand; null where there was none. */
  previous: { verdict: Verdict; agoMs: number } | null;
};

type News = {
  /** null: mailed already, or not confirmed. `first`: since the daily check was switched on. */
  verdict: "first" | "changed" | null;
  /** The certificate ends within this many days, and no mail has said so. */
  days: CertificateDays | null;
  /** What the mails have said, these included. */
  alerted: Alerted;
  /** Another check in ten minutes shows whether it stays so. */
  isUnconfirmed: boolean;
};

/** What to mail after a daily check. */
export function newsOf(alerted: Alerted, { verdict, daysLeft, previous }: Found): News {
  const condition = conditionOf[verdict];
  const isNew = condition !== alerted.condition;
  const isConfirmed =
    alerted.condition === null ||
    (previous !== null &&
      conditionOf[previous.verdict] === condition &&
      previous.agoMs >= confirmMs - minute);
  const isMailed = isNew && isConfirmed;
  // An expired certificate is a verdict of its own, and a check that saw none learns nothing about its end.
  const isValid = daysLeft !== null && daysLeft >= 0;
  const within = certificateDays.find((days) => isValid && daysLeft <= days) ?? null;
  return {
    verdict: !isMailed ? null : alerted.condition === null ? "first" : "changed",
    days: within !== null && within < (alerted.days ?? Infinity) ? within : null,
    alerted: {
      condition: isMailed ? condition : alerted.condition,
      days: isValid ? within : alerted.days,
    },
    isUnconfirmed: isNew && !isConfirmed,
  };
}

/**
 * When it is checked next: every day at the same time, half a day from now at the earliest.
 *
 * @param share - its part of the day, from 0 to 1
 */
export function nextDaily(now: number, share: number): number {
  const earliest = now + day / 2;
  const today = Math.floor(earliest / day) * day + Math.floor(share * day);
  return today >= earliest ? today : today + day;
}
