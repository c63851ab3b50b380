/** NEXT is accepted as well while a value is being changed. */
type Variable = "PIX_AUTHORIZATION" | "PIX_AUTHORIZATION_NEXT";

/** The line that the kit's handlers read a value from; null for a value with characters that a shell would expand. */
export function environmentLine(variable: Variable, value: string): string | null {
  return /^[\w .~+/=:-]+$/.test(value) ? `${variable}="${value}"` : null;
}
