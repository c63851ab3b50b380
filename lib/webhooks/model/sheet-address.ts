import {
  webhookTypes,
  type AppliesTo,
  type WebhookType,
} from "@/lib/platform/payment-service/contract/terms";

/** Which sheet is open, as the page's address says it: `?edit=pix_in`, `?register=pix_out&from=pix_in`. */
export type SheetAddress = {
  mode: "edit" | "register";
  type: AppliesTo;
  /**
   * Fill in the callback URL of this type, the version before somebody changed it outside Gancho, the version before an
   * entry of the history (by its position), or another environment's. `own`: none, for an address of one's own.
   */
  from?: WebhookType | "previous" | "own" | FetchedSource;
};

/** Sources that the page lacks and the server has to answer. */
export type FetchedSource = `entry.${number}` | `environment.${string}`;

const modes = ["edit", "register"] as const;
const choices = [...webhookTypes, "both"] as const;
const origins = [...webhookTypes, "previous", "own"] as const;

/** Null where the address names no sheet, or one that does not exist. It never contains what a person typed. */
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

/** Null for anything but an entry or an environment. */
export function parseFetchedSource(text: string | null | undefined): FetchedSource | null {
  return text && isFetchedSource(text) ? text : null;
}

function isFetchedSource(text: string): text is FetchedSource {
  return /^(entry\.[1-9][0-9]{0,14}|environment\.[a-z0-9-]{3,40})$/.test(text);
}

/** The page's own search parameters with this sheet's instead of another's; empty, or starts with `?`. */
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
