"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { forgetLinkToken, takeLinkToken } from "./link-token";

/**
 * Has `lookAt` told the token of the one-time link that led here, or null where there is none; again when another link
 * is opened in the same tab, which changes only what stands after the #. `storageKey` is the kind of link's own.
 */
export function useLinkToken(storageKey: string, lookAt: (token: string | null) => Promise<void>) {
  const token = useRef<string | null>(null);

  async function look() {
    token.current ??= takeLinkToken(storageKey);
    await lookAt(token.current);
  }

  const lookFirst = useEffectEvent(() => void look());
  const lookAgain = useEffectEvent(() => {
    token.current = null;
    void look();
  });
  useEffect(() => {
    lookFirst();
    const again = () => lookAgain();
    window.addEventListener("hashchange", again);
    return () => window.removeEventListener("hashchange", again);
  }, []);

  return { look, token: () => token.current, forget: () => forgetLinkToken(storageKey) };
}
