/**
 * Changes the address without a request to the server. Not at once: in the effects of a page's first render the
 * framework does not listen yet, and would write its own address back with its next step.
 */
export function replaceAddress(address: string): void {
  queueMicrotask(() => history.replaceState(null, "", address));
}
