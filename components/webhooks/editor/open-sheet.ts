"use client";

import { lazyPart } from "@/components/layout/lazy-part";
import { useEffect, useEffectEvent, useState } from "react";
import {
  parseSheetAddress,
  searchWithSheet,
  type SheetAddress,
} from "@/lib/webhooks/model/sheet-address";
import { useSearchParams } from "next/navigation";

/** Loaded on use: the form and its dependencies are a third of the screen's code, and most visits only read. */
export const { LazyPart: WebhookSheet, preload: preloadSheet } = lazyPart(() =>
  import("./webhook-sheet").then((module) => module.WebhookSheet),
);

/** Marks browser history entries of opened sheets, so that closing one goes back instead of adding another. */
const pushedByUs = "ganchoSheet";

/**
 * Which sheet is open. The URL decides, so that people can link to a sheet and the browser's Back closes it. The
 * exception: leaving asks first while something is unsaved (`leaving`). The URL changes without a request to the
 * server, because only the sheet depends on it.
 */
export function useOpenSheet(mayOpen: boolean) {
  const search = useSearchParams();
  const address = parseSheetAddress(search);
  const [open, setOpen] = useState<SheetAddress | null>(null);
  const [dirty, setDirty] = useState(false);

  const elsewhere = !same(open, address);
  if (elsewhere && !dirty) {
    const next = mayOpen ? address : null;
    if (!same(open, next)) setOpen(next);
  }

  function show(next: SheetAddress) {
    window.history.pushState({ [pushedByUs]: true }, "", addressWith(search, next));
  }

  // A link, or a typed address, leads to a sheet with another page before it: Back would leave this page, and the draft.
  // So the page itself comes before its sheet. Deferred as in `replaceUrl`.
  const putPageBefore = useEffectEvent(() => {
    if (!open || isPushedByUs(window.history.state)) return;
    window.history.replaceState(null, "", addressWith(search, null));
    show(open);
  });
  useEffect(() => queueMicrotask(() => putPageBefore()), [open]);

  function close() {
    setDirty(false);
    if (elsewhere) return;
    if (isPushedByUs(window.history.state)) window.history.back();
    else window.history.replaceState(null, "", addressWith(search, null));
  }

  return {
    open,
    /** The URL has changed while something is unsaved: ask, then call `close` or `stay`. */
    leaving: open !== null && elsewhere && dirty,
    setDirty,
    show,
    close,
    stay: () => open && show(open),
  };
}

function addressWith(search: URLSearchParams, sheet: SheetAddress | null): string {
  return window.location.pathname + searchWithSheet(search, sheet);
}

function isPushedByUs(state: unknown): boolean {
  return typeof state === "object" && state !== null && pushedByUs in state;
}

function same(a: SheetAddress | null, b: SheetAddress | null): boolean {
  return a?.mode === b?.mode && a?.type === b?.type && a?.from === b?.from;
}
