/** A new value for the Authorization header: 256 random bits in base64url, 50 characters in all. */
export function generateAuthorization(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const base64 = btoa(String.fromCharCode(...bytes));
  return `Bearer ${base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}
