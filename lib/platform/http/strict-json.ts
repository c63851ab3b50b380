import { ProblemError } from "@/lib/platform/http/model/problem";

/** Deeper bodies than any of ours are an attack on a parser, not a request. */
const maxDepth = 8;

/**
 * JSON as strict as our forms write it. Beyond `JSON.parse` it refuses duplicate keys (two readers could pick different
 * ones), `__proto__` and its kin (prototype pollution) and depth over 8. Throws `malformed_request`. It does not check
 * the shape; a schema does.
 */
export function parseStrictJson(text: string): unknown {
  const value = parse(text);
  refuseTraps(text);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProblemError("malformed_request", {
      detail: "The body is not valid JSON.",
      applied: "no",
    });
  }
}

const trapKeys = new Set(["__proto__", "constructor", "prototype"]);
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** `text` is valid JSON, so only strings and punctuation need distinguishing. */
function refuseTraps(text: string): void {
  const open: (Set<string> | null)[] = [];
  let last = "";
  for (const [token] of text.matchAll(tokens)) {
    if (token === "{" || token === "[") {
      open.push(token === "{" ? new Set() : null);
      if (open.length > maxDepth) refuse(`The body is nested deeper than ${maxDepth} levels.`);
    } else if (token === "}" || token === "]") {
      open.pop();
    } else if (token === ":") {
      const key: unknown = JSON.parse(last);
      const keys = open.at(-1);
      if (typeof key !== "string" || !keys) continue;
      if (trapKeys.has(key)) refuse("The body has a key that is not allowed.");
      if (keys.has(key)) refuse("The body has the same key twice.");
      keys.add(key);
    }
    last = token;
  }
}

function refuse(detail: string): never {
  throw new ProblemError("malformed_request", { detail, applied: "no" });
}
