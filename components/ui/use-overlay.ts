"use client";

import { setNonce } from "get-nonce";
import { useRef } from "react";

/**
 * What every dialog needs besides the library's. Focus returns where it was before it opened: the library only knows
 * its own triggers, and ours open by state or by the address. Where that element is gone, the one that `successor`
 * finds takes over, else the dialog underneath or the page's content.
 */
export function useOverlay(open: boolean, successor?: () => HTMLElement | null) {
  const before = useRef<Element | null>(null);
  if (open && typeof document !== "undefined") shareStyleNonce();
  return {
    remember() {
      before.current = document.activeElement;
    },
    restore(event: Event) {
      event.preventDefault();
      const element = before.current;
      const here =
        element instanceof HTMLElement && element !== document.body && element.isConnected;
      const next = () =>
        successor?.() ??
        document.querySelector<HTMLElement>('[role="dialog"]') ??
        document.querySelector("main");
      (here ? element : next())?.focus();
    },
  };
}

/**
 * The scroll lock of open dialogs injects a <style>, which the policy allows only with the page's nonce.
 * It is read from the document, not passed down: the document keeps the nonce of its first load,
 * while anything the server sends later would carry another one.
 */
function shareStyleNonce(): void {
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
  if (nonce) setNonce(nonce);
}
