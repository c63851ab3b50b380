"use client";

import { useServerInsertedHTML } from "next/navigation";
import { useRef } from "react";

/**
 * Runs while the browser reads the page, before any other script: keeps the last press or submit in a part of the page
 * that React does not listen to yet, and repeats it once React listens there. Parts begin to listen one after the
 * other, and React drops earlier events. It is sent to the browser as text, so it stands alone.
 */
function keepEarlyPress() {
  let last = 0;
  // React keeps an element's handlers there, from the moment at which it reaches the element. The framework replaces
  // `pushState` when it begins to follow the address: until then, a press that changes the address would open nothing.
  function markOf(element: Element): string | undefined {
    if (!Object.hasOwn(history, "pushState")) return undefined;
    return Object.keys(element).find((key) => key.startsWith("__reactProps$"));
  }
  function keep(event: Event, element: Element | null, repeat: () => void) {
    if (!element) return;
    last += 1;
    const own = last;
    const again = () =>
      setTimeout(() => {
        if (own === last && element.isConnected) repeat();
      }, 50);
    const mark = markOf(element);
    if (mark === undefined) {
      event.preventDefault();
      event.stopImmediatePropagation();
      again();
      return;
    }
    const props: { onSubmit?: unknown; onClick?: unknown } = Reflect.get(element, mark);
    // React stops an event for a part that it has reached and does not listen to yet, or lets it pass without handling
    // it: the browser would then send a form by itself. A form of ours is handled when its handler says that it sends
    // it, and a button's press when its handler is called.
    if (event.type === "submit" && typeof props.onSubmit === "function") {
      event.preventDefault();
      let handled = false;
      event.preventDefault = () => {
        handled = true;
      };
      setTimeout(() => {
        if (!handled) again();
      });
      return;
    }
    if (event.type === "click" && typeof props.onClick === "function") {
      let handled = false;
      // React may write other handlers as it takes the part over for this press.
      let present: { onClick?: unknown } = props;
      Object.defineProperty(element, mark, {
        configurable: true,
        enumerable: true,
        set: (next: typeof present) => (present = next),
        get: () => ({
          ...present,
          onClick: (pressed: unknown) => {
            handled = true;
            if (typeof present.onClick === "function") present.onClick(pressed);
          },
        }),
      });
      setTimeout(() => {
        const plain = { value: present, writable: true, configurable: true, enumerable: true };
        Object.defineProperty(element, mark, plain);
        if (!handled) again();
      });
      return;
    }
    let arrived = false;
    const arrive = () => {
      arrived = true;
    };
    element.addEventListener(event.type, arrive, { capture: true, once: true });
    setTimeout(() => {
      element.removeEventListener(event.type, arrive, { capture: true });
      if (!arrived) again();
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
      keep(event, form, () => form?.requestSubmit(event.submitter));
    },
    true,
  );
}

/** Empty in the browser, so that its bundle leaves out what the page already carries as text. */
const script = typeof window === "undefined" ? `(${keepEarlyPress.toString()})()` : "";

/** A press before React listens counts a little later, instead of being lost. */
export function EarlyPress({ nonce }: { nonce: string | undefined }) {
  const inserted = useRef(false);
  // Only the server writes this script: React would have to make it from a string, which no page may (trusted-types.ts).
  useServerInsertedHTML(() => {
    if (inserted.current) return null;
    inserted.current = true;
    return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />;
  });
  return null;
}
