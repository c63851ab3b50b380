"use client";

import { useSyncExternalStore } from "react";

/** Whether the browser knows that it has no network. Having one does not mean that it can reach Gancho. */
export function useNoNetwork(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  );
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}
