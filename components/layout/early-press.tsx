"use client";

import type { Elements } from "@/components/ui/sentences";
import { useServerInsertedHTML } from "next/navigation";
import { useEffect, useRef, type SyntheticEvent } from "react";

/**
 * Runs before any other script: a click or submit that React does not hear, since the part of the page is not hydrated
 * yet, is repeated until React does. React hydrates part by part, and drops earlier events. The function is sent to the
 * browser as text, so it cannot use anything outside itself.
 */
function keepEarlyPress() {
  /** Nobody expects more of a press than that, and what it was for may have changed. */
  const keptMs = 30_000;
  /** The last press is the one that is meant. */
  let last = 0;
  let firstAt: number | null = null;
  function keep(event: Event, element: Element | null | undefined, repeat: () => void) {
    // What a browser's extension draws outside is not ours.
    if (!element?.closest("[data-presses]")) return;
    const since = firstAt ?? Date.now();
    last += 1;
    const own = last;
    // Once React has had its turn.
    setTimeout(() => {
      if (Reflect.has(event, "isHeard")) return;
      setTimeout(() => {
        if (own !== last || !element.isConnected || Date.now() - since > keptMs) return;
        firstAt = since;
        repeat();
        firstAt = null;
      }, 50);
    });
  }
  document.addEventListener(
    "click",
    (event) => {
      if (!(event.target instanceof Element)) return;
      const button = event.target.closest<HTMLButtonElement>("button[type=button]");
      keep(event, button, () => button?.click());
    },
    true,
  );
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target instanceof HTMLFormElement ? event.target : null;
      // Whoever handles it sends it by a request; the browser would leave the page.
      event.preventDefault();
      keep(event, form, () => form?.requestSubmit(event.submitter));
    },
    true,
  );
}

/** Empty in the browser, so that its bundle leaves out what the page already contains as text. */
const script = typeof window === "undefined" ? `(${keepEarlyPress.toString()})()` : "";

/** Repeats a click from before hydration after it, so that it is not lost. Around all that the page draws. */
export function EarlyPress({ nonce, children }: { nonce: string | undefined; children: Elements }) {
  const inserted = useRef(false);
  const isReady = useRef(false);
  // Only the server writes this script: in the browser, Trusted Types forbid one from a string (trusted-types.ts).
  useServerInsertedHTML(() => {
    if (inserted.current) return null;
    inserted.current = true;
    return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />;
  });
  // The framework's router starts by then: before, a press that changes the address would open nothing.
  useEffect(() => {
    isReady.current = true;
  }, []);
  const hear = (event: SyntheticEvent) => {
    if (isReady.current) Reflect.set(event.nativeEvent, "isHeard", true);
    else event.stopPropagation();
  };
  return (
    <div data-presses className="contents" onClickCapture={hear} onSubmitCapture={hear}>
      {children}
    </div>
  );
}
