import { webhookTypes, type AppliesTo, type WebhookType } from "./types";

/** Which sheet is open, as the page's address says it: `?edit=pix_in`, `?register=pix_out&from=pix_in`. */
export type SheetAddress = {
  /** `change`: step by step to another Authorization value. */
  mode: "edit" | "register" | "change";
  type: AppliesTo;
  /**
   * Fill in the callback URL of this type, what was registered before somebody changed it outside Gancho, what an entry
   * of the history shows as registered before it (by its place), or what another environment has.
   */
  from?: WebhookType | "previous" | FetchedSource;
};

/** What the page does not have and the server is asked for. */
export type FetchedSource = `entry.${number}` | `environment.${string}`;

const modes = ["edit", "register", "change"] as const;
const choices = [...webhookTypes, "both"] as const;
const origins = [...webhookTypes, "previous"] as const;

/** Null where the address names no sheet, or one that does not exist. What a person typed never stands in it. */
export function parseSheetAddress(search: URLSearchParams): SheetAddress | null {
  for (const mode of modes) {
    const type = choices.find((choice) => choice === search.get(mode));
    if (!type) continue;
    const given = search.get("from");
    const from = origins.find((known) => known === given) ?? parseFetchedSource(given);
    return { mode, type, ...(from ? { from } : {}) };
  }
  return null;
}

/** Null for what names neither an entry nor an environment. */
export function parseFetchedSource(text: string | null | undefined): FetchedSource | null {
  return text && isFetchedSource(text) ? text : null;
}

function isFetchedSource(text: string): text is FetchedSource {
  return /^(entry\.[1-9][0-9]{0,14}|environment\.[a-z0-9-]{3,40})$/.test(text);
}

/** The page's own search parameters with this sheet's in place of another's; empty, or starts with `?`. */
export function searchWithSheet(search: URLSearchParams, address: SheetAddress | null): string {
  const next = new URLSearchParams(search);
  for (const name of [...modes, "from"]) next.delete(name);
  if (address) {
    next.set(address.mode, address.type);
    if (address.from) next.set("from", address.from);
  }
  const text = next.toString();
  return text && `?${text}`;
}
