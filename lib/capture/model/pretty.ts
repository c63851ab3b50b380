/** A string, a bracket or other mark, or any other value, as JSON writes them. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Nobody reads what is nested deeper, and its indentation would be far more than the text. */
const maxDepth = 32;

/**
 * JSON with a line for each value, or as it came where it is nested too deeply; null for any other text. Changes white
 * space alone, so that numbers, escapes and repeated keys stay what came.
 */
export function prettyJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  let shown = "";
  let depth = 0;
  let last = "";
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const [token] of text.matchAll(tokens)) {
    const isNext = last === ",";
    const isEmpty = last === "{" || last === "[";
    last = token;
    if (token === "}" || token === "]") {
      depth -= 1;
      shown += isEmpty ? token : line() + token;
    } else {
      // The first value of an object or a list, and each after a comma.
      if (isEmpty || isNext) shown += line();
      shown += token === ":" ? ": " : token;
      if (token === "{" || token === "[") depth += 1;
      if (depth > maxDepth) return text;
    }
  }
  return shown;
}
