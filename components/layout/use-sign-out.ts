"use client";

import { useState } from "react";

/** Signs the person out; `failed` where that did not happen. */
export function useSignOut() {
  const [failed, setFailed] = useState(false);
  return {
    failed,
    async leave() {
      setFailed(false);
      // The code loads on use: if it cannot load, signing out would fail as well.
      const next = await import("@/lib/platform/auth/client/auth-client").then(
        ({ signOut }) => signOut(),
        () => null,
      );
      // A full page load, so that nothing of the session stays in memory.
      if (next) location.assign(next);
      else setFailed(true);
    },
  };
}
