import { replaceAddress } from "./replace-address";

/**
 * The token of a one-time link stands after the #, so that no server, log or Referer ever sees it. It is taken out of
 * the address at once, so that it is in no history and no picture of the screen either, and kept in the tab, which may
 * lead away to sign in and back.
 */
export function takeLinkToken(storageKey: string): string | null {
  const token = location.hash.slice(1);
  if (token === "") return storage()?.getItem(storageKey) ?? null;
  replaceAddress(location.pathname + location.search);
  storage()?.setItem(storageKey, token);
  return token;
}

export function forgetLinkToken(storageKey: string): void {
  storage()?.removeItem(storageKey);
}

/** A browser may have none for us; then the link has to be opened again after signing in. */
function storage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
