/**
 * The address of an operation (section 4: `{base_url}` and a path), or null where the base address is not one to which
 * secrets may be sent: https, or plain http to this machine itself.
 */
export function endpoint(baseUrl: string, path: string): URL | null {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return null;
  }
  const plain = url.protocol === "http:" && isLoopback(url.hostname);
  if (url.protocol !== "https:" && !plain) return null;
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
