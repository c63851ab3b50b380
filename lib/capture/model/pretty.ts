/** A string, a bracket or other mark, or any other value, as JSON writes them. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** JSON with a line for each value. Changes white space alone, so that numbers, escapes and repeated keys stay what came. */
export function prettyJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  let shown = "";
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const [token] of text.matchAll(tokens)) {
    const isEmpty = /[{[]$/.test(shown);
    if (token === "}" || token === "]") {
      depth -= 1;
      shown += isEmpty ? token : line() + token;
    } else {
      // The first value of an object or a list, and each after a comma.
      if (isEmpty || shown.endsWith(",")) shown += line();
      shown += token === ":" ? ": " : token;
      if (token === "{" || token === "[") depth += 1;
    }
  }
  return shown;
}
