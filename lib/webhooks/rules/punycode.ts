import { parseUrl } from "./parse-url";

/**
 * Whether a host whose labels start with `xn--` stands for a name: they decode (RFC 3492, section 6.2) and the
 * whole encodes back to itself. Needed because browsers take an ASCII host as it is while Node refuses one that
 * decodes to nothing or to what international names may not hold.
 */
export function isEncodedName(host: string): boolean {
  const labels = host.split(".").map((label) => {
    if (!label.startsWith("xn--")) return label;
    const decoded = decode(label.slice("xn--".length));
    return decoded === null || /^[\0-\x7f]*$/.test(decoded) ? null : decoded;
  });
  if (labels.includes(null)) return false;
  return parseUrl(`https://${labels.join(".")}`)?.hostname === host;
}

const base = 36;
const tMin = 1;
const tMax = 26;

function decode(input: string): string | null {
  const lastHyphen = input.lastIndexOf("-");
  const output = lastHyphen > 0 ? Array.from(input.slice(0, lastHyphen), codePoint) : [];
  let code = 128;
  let position = 0;
  let bias = 72;

  let index = lastHyphen > 0 ? lastHyphen + 1 : 0;
  while (index < input.length) {
    const before = position;
    let weight = 1;
    for (let k = base; ; k += base) {
      const digit = digitOf(input.charCodeAt(index));
      if (index >= input.length || digit === null) return null;
      index += 1;
      position += digit * weight;
      const threshold = Math.min(Math.max(k - bias, tMin), tMax);
      if (digit < threshold) break;
      weight *= base - threshold;
      if (position > 0x7fffffff || weight > 0x7fffffff) return null;
    }
    const length = output.length + 1;
    bias = adapt(position - before, length, before === 0);
    code += Math.floor(position / length);
    position %= length;
    if (code > 0x10ffff) return null;
    output.splice(position, 0, code);
    position += 1;
  }
  return String.fromCodePoint(...output);
}

function codePoint(character: string): number {
  return character.charCodeAt(0);
}

/** Letters are 0 to 25, digits 26 to 35. */
function digitOf(code: number): number | null {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  return null;
}

function adapt(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? 700 : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  while (rest > ((base - tMin) * tMax) / 2) {
    rest = Math.floor(rest / (base - tMin));
    k += base;
  }
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + 38));
}
