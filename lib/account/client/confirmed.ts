/** The page that leads to the provider for a step-up and back, and the window that it opens in. */
export const confirmPath = "/confirm-identity";
export const confirmWindow = "gancho-confirm-identity";

const channel = "gancho-confirm-identity";

/**
 * Calls back when this browser's person was confirmed in that window. A channel, because a provider's page may end the
 * relation between the two windows. It is no proof: the server knows who is confirmed. Returns a function that ends it.
 */
export function whenConfirmed(confirmed: () => void): () => void {
  const open = new BroadcastChannel(channel);
  open.addEventListener("message", confirmed);
  return () => open.close();
}

export function sayConfirmed(): void {
  const open = new BroadcastChannel(channel);
  open.postMessage("confirmed");
  open.close();
}
