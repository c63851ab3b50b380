/**
 * Changes the address without asking the server. Not at once: in the effects of a page's first drawing the framework
 * does not listen yet, and would write its own address back with the next thing it does.
 */
export function replaceAddress(address: string): void {
  queueMicrotask(() => history.replaceState(null, "", address));
}
