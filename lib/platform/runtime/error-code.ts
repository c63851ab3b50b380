/** The code of an error of Node, a driver or a library; undefined where it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
