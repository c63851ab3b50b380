import { isMasked } from "@/lib/platform/secrets/model/stand-in";
import { normalForm } from "./behaviours";
import type { Listed } from "./service";

/** What the list showed of a type; undefined: it left it out. */
export type Item = Listed["items"][number] | undefined;

export const isMaskedItem = (item: Item) => typeof item?.shown === "string" && isMasked(item.shown);

export const isSameItem = (one: Item, other: Item) =>
  one?.url === other?.url && one?.shown === other?.shown;

/** A placeholder says that a value is set, and nothing of which. */
export function isAlike(one: Item, other: Item): boolean {
  if (!one || !other) return one === other;
  if (normalForm(one.url) !== normalForm(other.url)) return false;
  const isValue = one.shown !== null && other.shown !== null;
  return one.shown === other.shown || (isValue && (isMaskedItem(one) || isMaskedItem(other)));
}

/** At the address, in any spelling of the same host, path and parameters. */
export function isAtItem(item: Item, url: string | undefined): boolean {
  return isSpelledAlike(item?.url, url);
}

export function isSpelledAlike(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && spelled(one) === spelled(other);
}

function spelled(url: string): string {
  const { hostname, pathname, searchParams } = new URL(normalForm(url));
  const query = [...searchParams].map((pair) => pair.join("=")).sort();
  return [hostname, pathname.replace(/\/+$/, "").toLowerCase(), ...query].join(" ");
}
