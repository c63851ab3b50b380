"use client";

import { useServerInsertedHTML } from "next/navigation";
import { useRef } from "react";

/**
 * Runs before any other script: remembers the last click or submit in a part of the page that is not hydrated yet, and
 * repeats it once that part is. React hydrates part by part, and drops earlier events. The function is sent to the
 * browser as text, so it cannot use anything outside itself.
 */
function keepEarlyPress() {
  let last = 0;
  // React stores an element's handlers under this key once it has reached the element. Next replaces `pushState` when
  // its router starts: until then, a click that changes the URL would open nothing.
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
    // React stops an event in a part that it has reached but not hydrated, or lets it pass without handling it: the
    // browser would then submit a form natively. A form's event is handled if its handler prevents the default, and a
    // button's click if its handler is called.
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
      // React may replace the handlers while it hydrates the part for this click.
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

/** Empty in the browser, so that its bundle leaves out what the page already contains as text. */
const script = typeof window === "undefined" ? `(${keepEarlyPress.toString()})()` : "";

/** Repeats a click from before hydration after it, so that it is not lost. */
export function EarlyPress({ nonce }: { nonce: string | undefined }) {
  const inserted = useRef(false);
  // Only the server writes this script: in the browser, Trusted Types forbid one from a string (trusted-types.ts).
  useServerInsertedHTML(() => {
    if (inserted.current) return null;
    inserted.current = true;
    return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />;
  });
  return null;
}
