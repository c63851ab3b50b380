import type { KeysReport } from "@/lib/platform/secrets/key-report";
import type { KeyReport } from "@/lib/platform/secrets/model/key-report";
import { partners } from "./match-keys";

const namedAtMost = 10;

/** The report on the keys for an operator, one line each. */
export function keyLines({ keys, closed }: KeysReport): string[] {
  return [...keys.map(keyLine), ...(closed.length > 0 ? [closedLine(closed)] : [])];
}

function keyLine(key: KeyReport): string {
  const { id } = key;
  switch (key.standing) {
    case "active":
      return `${id}: active, seals the secrets of ${sealed(key)}.`;
    case "needed":
      return `${id}: still needed for the secrets of ${sealed(key)}; rotate-keys brings them under the active key.`;
    case "missing":
      return `${id} (not in ENCRYPTION_KEYS): still needed for the secrets of ${sealed(key)}; put it back.`;
    case "removable":
      return `${id}: needed by nobody, may be removed from ENCRYPTION_KEYS; backups from before need it.`;
    case "stands_by":
      return `${id}: needed by nobody, stands by.`;
    case "unsure":
      return `${id}: needed by nobody now, but instances may still seal with it: run rotate-keys before it is removed.`;
  }
}

function sealed({ partners: count, people }: KeyReport): string {
  return `${partners(count)}${people ? " and of the people of this installation" : ""}`;
}

function closedLine(closed: readonly string[]): string {
  const named = closed.slice(0, namedAtMost).join(", ");
  const more = closed.length > namedAtMost ? ", …" : "";
  return `The secrets of ${partners(closed.length)} do not open, because a key is missing or what is stored was altered: ${named}${more}.`;
}
