import type { KeyReport } from "@/lib/platform/secrets/model/key-report";

/** What a key is still needed for, as one line for an operator. */
export function keyLine({ id, dataKeys, standing }: KeyReport): string {
  switch (standing) {
    case "active":
      return `${id}: active, encrypts ${counted(dataKeys)}.`;
    case "needed":
      return `${id}: still needed for ${counted(dataKeys)}; rotate-keys brings them under the active key.`;
    case "missing":
      return `${id} (not in ENCRYPTION_KEYS): still needed for ${counted(dataKeys)}; put it back.`;
    case "unused":
      return `${id}: needed by no data key; backups from before may need it.`;
  }
}

export function counted(dataKeys: number): string {
  return dataKeys === 1 ? "1 data key" : `${dataKeys.toLocaleString("en")} data keys`;
}
