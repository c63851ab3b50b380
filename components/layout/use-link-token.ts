"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { replaceUrl } from "./replace-url";

/**
 * Calls `readLink` with the token of the one-time link that led here, or null if there is none; and again when another
 * link is opened in the same tab, which changes only the URL fragment. Each kind of link has its own `storageKey`.
 */
export function useLinkToken(
  storageKey: string,
  readLink: (token: string | null) => Promise<void>,
) {
  const token = useRef<string | null>(null);

  async function read() {
    token.current ??= takeLinkToken(storageKey);
    await readLink(token.current);
  }

  const readFirst = useEffectEvent(() => void read());
  const readAgain = useEffectEvent(() => {
    token.current = null;
    void read();
  });
  useEffect(() => {
    readFirst();
    const again = () => readAgain();
    window.addEventListener("hashchange", again);
    return () => window.removeEventListener("hashchange", again);
  }, []);

  return { read, token: () => token.current, forget: () => storage()?.removeItem(storageKey) };
}

/**
 * The token of a one-time link is in the URL fragment, so that no server, log or Referer ever contains it. This removes
 * it from the URL at once, so that no browser history or screenshot contains it, and keeps it in session storage, since
 * the tab may leave to sign in and return.
 */
function takeLinkToken(storageKey: string): string | null {
  const token = location.hash.slice(1);
  if (token === "") return storage()?.getItem(storageKey) ?? null;
  replaceUrl(location.pathname + location.search);
  storage()?.setItem(storageKey, token);
  return token;
}

/** A browser may deny storage; then the person has to open the link again after signing in. */
function storage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
