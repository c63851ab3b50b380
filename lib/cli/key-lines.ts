import type { KeyReport, KeysReport } from "@/lib/secrets/key-report";
import { partners } from "./match-keys";

const namedAtMost = 10;

/** What an operator is told of the keys, one line each. */
export function keyLines({ keys, closed }: KeysReport): string[] {
  return [...keys.map(keyLine), ...(closed.length > 0 ? [closedLine(closed)] : [])];
}

function keyLine({ id, partners: count, state, configured }: KeyReport): string {
  const name = configured ? id : `${id} (not in ENCRYPTION_KEYS)`;
  if (state === "active") return `${name}: active, seals the secrets of ${partners(count)}.`;
  if (count > 0) return `${name}: still needed by ${partners(count)}.`;
  if (state === "retired")
    return `${name}: needed by nobody, may be removed from ENCRYPTION_KEYS; backups from before need it.`;
  if (state === "stands_by") return `${name}: needed by nobody, stands by.`;
  return `${name}: needed by nobody now, but copies may still seal with it: run rotate-keys before it is removed.`;
}

function closedLine(closed: readonly string[]): string {
  const named = closed.slice(0, namedAtMost).join(", ");
  const more = closed.length > namedAtMost ? ", …" : "";
  return `The secrets of ${partners(closed.length)} do not open, because a key is missing or what is stored was altered: ${named}${more}.`;
}
