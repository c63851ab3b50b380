import "server-only";

/** The host alone for https, else with its scheme; the service may hold something that is no URL. */
export function originOf(address: string): string {
  if (!URL.canParse(address)) return "?";
  const { protocol, host } = new URL(address);
  return protocol === "https:" ? host : `${protocol}//${host}`;
}
