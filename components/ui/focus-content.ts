/** Gives the focus to the page's content, where what had it is gone. */
export function focusContent(): void {
  document.querySelector("main")?.focus({ preventScroll: true });
}

/** The `ref` of a button that may disappear once it is pressed: the page's content then gets its focus. */
export function yieldsFocus(button: HTMLElement | null) {
  return () => {
    if (button && button === document.activeElement) focusContent();
  };
}

/** The `ref` of what a button far away has raised: it scrolls into view. */
export function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}
