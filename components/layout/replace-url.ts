/**
 * Changes the URL without a request to the server. Deferred, because in the effects of a page's first render Next does
 * not follow the URL yet, and would write its own back.
 */
export function replaceUrl(address: string): void {
  queueMicrotask(() => history.replaceState(null, "", address));
}
