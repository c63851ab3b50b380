import type { EnvironmentHealth, Health } from "./health";

/** What an operator has to look after. */
export type ToFix =
  /** Data keys that nobody can open. */
  | { kind: "keys"; ids: string[] }
  /** `readAt`: when the service last confirmed anything there, ISO 8601 UTC; null: never. */
  | { kind: "unread"; environment: string; readAt: string | null }
  /** The last reading of so many partners failed. */
  | { kind: "failing"; environment: string; count: number }
  /** So many partners have nobody who could approve a change. */
  | { kind: "no_second_person"; count: number }
  /** So many alerts have not been delivered, the oldest for longer than the tries to deliver it are apart at first. */
  | { kind: "alerts"; count: number; since: string };

/** The worst first; empty where all is well, as far as this page knows. */
export function toFixIn({ keys, environments, withoutSecondPerson, alerts }: Health): ToFix[] {
  const missing = keys.flatMap(({ id, standing }) => (standing === "missing" ? [id] : []));
  return [
    ...(missing.length > 0 ? [{ kind: "keys" as const, ids: missing }] : []),
    ...environments.flatMap(unreadIn),
    ...environments.flatMap(failingIn),
    ...(withoutSecondPerson.length > 0
      ? [{ kind: "no_second_person" as const, count: withoutSecondPerson.length }]
      : []),
    ...(alerts.waitingSince !== null && alerts.isLate
      ? [{ kind: "alerts" as const, count: alerts.waiting, since: alerts.waitingSince }]
      : []),
  ];
}

/** Where all fail, that says more. */
function unreadIn({
  name,
  connections,
  failing,
  isOld,
  lastConfirmedAt,
}: EnvironmentHealth): ToFix[] {
  if (connections === 0 || failing > 0 || (lastConfirmedAt !== null && !isOld)) return [];
  return [{ kind: "unread", environment: name, readAt: lastConfirmedAt }];
}

function failingIn({ name, failing }: EnvironmentHealth): ToFix[] {
  return failing > 0 ? [{ kind: "failing", environment: name, count: failing }] : [];
}
