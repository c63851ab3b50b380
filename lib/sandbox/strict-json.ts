/** Parsed JSON, or null where the text is not JSON or an object in it has a key twice. */
type StrictJson = { value: unknown } | null;

/**
 * JSON.parse that refuses duplicate keys instead of keeping the last one, because readers differ in which one counts. A
 * key `__proto__` becomes an ordinary own key, which schemas then refuse.
 */
export function parseStrictJson(text: string): StrictJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return hasDuplicateKey(text) ? null : { value };
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gs;

/** Expects valid JSON, where a string is a key exactly if a colon follows it. */
function hasDuplicateKey(json: string): boolean {
  const open: Set<string>[] = [];
  let lastString = "";
  for (const [token] of json.matchAll(tokens)) {
    if (token === "{" || token === "[") {
      open.push(new Set());
    } else if (token === "}" || token === "]") {
      open.pop();
    } else if (token === ":") {
      // Escapes are undone: "a" and "\u0061" are one key.
      const key = String(JSON.parse(lastString));
      const keys = open.at(-1);
      if (keys?.has(key)) return true;
      keys?.add(key);
    } else {
      lastString = token;
    }
  }
  return false;
}
