"use client";

import { useEffect } from "react";

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

/** What somebody presses before React listens counts a moment later, instead of being lost. Stands first in the body. */
export function EarlyPress({ nonce }: { nonce: string | undefined }) {
  useEffect(() => {
    // Not within the effect: React then hydrates the part of the page that was pressed, as it does for a person.
    setTimeout(() => window.repeatEarlyPress?.());
  }, []);
  return (
    <script
      nonce={nonce}
      // Browsers hide the nonce from whoever reads the document, and React would miss it.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: `(${keepEarlyPress.toString()})()` }}
    />
  );
}
