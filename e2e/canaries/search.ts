/** A secret to search for: its kind, which is reported, and its text, which is not. */
export type Needle = { kind: string; text: string };

/** What was found, without the secret itself. */
export type Finding = { kind: string; form: string };

type Pattern = Finding & { bytes: Buffer };

/** Searches for many secrets at once, each in every form of formsOf, in one pass over the bytes. */
export function searcherFor(needles: readonly Needle[]): (bytes: Buffer) => Finding[] {
  const patterns = new Map<number, Pattern[]>();
  for (const { kind, text } of needles)
    for (const [form, bytes] of formsOf(text)) {
      // Shorter ones would be found everywhere.
      if (bytes.length < shortest) throw new Error(`a ${kind} is too short to be looked for`);
      const key = bytes.readUIntBE(0, keyBytes);
      patterns.set(key, [...(patterns.get(key) ?? []), { kind, form, bytes }]);
    }
  const isStart = new Uint8Array(1 << (8 * keyBytes));
  for (const key of patterns.keys()) isStart[key] = 1;

  return (bytes) => {
    const found = new Map<string, Finding>();
    let key = 0;
    for (let end = 0; end < bytes.length; end += 1) {
      key = ((key << 8) | (bytes[end] ?? 0)) & 0xffffff;
      if (isStart[key] !== 1 || end < keyBytes - 1) continue;
      const start = end - keyBytes + 1;
      for (const { kind, form, bytes: wanted } of patterns.get(key) ?? [])
        if (bytes.subarray(start, start + wanted.length).equals(wanted))
          found.set(`${kind} ${form}`, { kind, form });
    }
    return [...found.values()];
  };
}

const keyBytes = 3;
const shortest = 8;

/** The encodings in which a file or an answer can contain a text, each as its bytes. */
function formsOf(text: string): Map<string, Buffer> {
  const bytes = Buffer.from(text);
  const hex = bytes.toString("hex");
  const percent = hex.replace(/../g, "%$&");
  const units = [...text].map((char) => char.charCodeAt(0).toString(16).padStart(4, "0"));
  const forms: [string, string | Buffer][] = [
    ["as it is", text],
    ["hexadecimal", hex],
    ["hexadecimal, upper case", hex.toUpperCase()],
    ["URL-encoded", encodeURIComponent(text)],
    ["URL-encoded throughout", percent],
    ["URL-encoded throughout, upper case", percent.toUpperCase()],
    ["JSON-escaped", JSON.stringify(text).slice(1, -1)],
    ["JSON-escaped throughout", units.map((unit) => `\\u${unit}`).join("")],
    ["JSON-escaped twice", JSON.stringify(JSON.stringify(text)).slice(3, -3)],
    ["HTML-escaped", text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;")],
    ["UTF-16", Buffer.from(text, "utf16le")],
    ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset)),
  ];
  // The same bytes under several names are one form, the first.
  const seen = new Set<string>();
  return new Map(
    forms.flatMap(([name, form]) => {
      const found = Buffer.from(form);
      const key = found.toString("latin1");
      if (seen.has(key)) return [];
      seen.add(key);
      return [[name, found] as const];
    }),
  );
}

/** The part of the base64 that depends on these bytes alone, with `offset` others before them in a group of three. */
function base64At(bytes: Buffer, offset: number): [string, string][] {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
  const from = Math.ceil((offset * 8) / 6);
  const to = Math.floor((whole.length * 8) / 6);
  const encoded = whole.toString("base64").slice(from, to);
  return [
    [`base64, ${offset} further`, encoded],
    [`base64url, ${offset} further`, encoded.replace(/\+/g, "-").replace(/\//g, "_")],
  ];
}
