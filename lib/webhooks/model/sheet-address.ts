import { webhookTypes, type AppliesTo, type WebhookType } from "./types";

/** Which sheet is open, as the page's address says it: `?edit=pix_in`, `?register=pix_out&from=pix_in`. */
export type SheetAddress = {
  mode: "edit" | "register";
  type: AppliesTo;
  /** Fill in the callback URL of this type, or what was registered before somebody changed it outside Gancho. */
  from?: WebhookType | "previous";
};

const modes = ["edit", "register"] as const;
const choices = [...webhookTypes, "both"] as const;
const origins = [...webhookTypes, "previous"] as const;

/** Null where the address names no sheet, or one that does not exist. What a person typed never stands in it. */
export function parseSheetAddress(search: URLSearchParams): SheetAddress | null {
  for (const mode of modes) {
    const type = choices.find((choice) => choice === search.get(mode));
    if (!type) continue;
    const from = origins.find((known) => known === search.get("from"));
    return { mode, type, ...(from ? { from } : {}) };
  }
  return null;
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
