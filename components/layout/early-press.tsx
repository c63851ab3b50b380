"use client";

import { useServerInsertedHTML } from "next/navigation";
import { useEffect, useRef } from "react";

declare global {
  interface Window {
    repeatEarlyPress?: () => void;
  }
}

/**
 * Runs while the browser reads the page, before any other script: keeps the last button that was pressed, or the last
 * form that was sent, until `repeatEarlyPress` does it again. It is sent to the browser as text, so it stands alone.
 */
function keepEarlyPress() {
  let repeat: (() => void) | undefined;
  function keep(event: Event) {
    const { target } = event;
    if (event instanceof SubmitEvent && target instanceof HTMLFormElement) {
      event.preventDefault();
      repeat = () => target.isConnected && target.requestSubmit(event.submitter);
    } else if (target instanceof Element) {
      const button = target.closest<HTMLButtonElement>("button[type=button]");
      if (button) repeat = () => button.isConnected && button.click();
    }
  }
  document.addEventListener("click", keep, true);
  document.addEventListener("submit", keep, true);
  window.repeatEarlyPress = () => {
    document.removeEventListener("click", keep, true);
    document.removeEventListener("submit", keep, true);
    delete window.repeatEarlyPress;
    repeat?.();
  };
}

/** What somebody presses before React listens counts a moment later, instead of being lost. */
export function EarlyPress({ nonce }: { nonce: string | undefined }) {
  const inserted = useRef(false);
  // Only the server writes this script: React would have to make it from a string, which no page may (trusted-types.ts).
  useServerInsertedHTML(() => {
    if (inserted.current) return null;
    inserted.current = true;
    const script = `(${keepEarlyPress.toString()})()`;
    return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />;
  });
  useEffect(() => {
    // Not within the effect: React then hydrates the part of the page that was pressed, as it does for a person.
    setTimeout(() => window.repeatEarlyPress?.());
  }, []);
  return null;
}
