import fc from "fast-check";

/** 16 to 48 bytes, uniformly random: fast-check's own arrays favour small and repeated ones, which no generator gives. */
const bytes = fc
  .tuple(
    fc.integer({ min: 16, max: 48 }),
    fc.noBias(fc.array(fc.nat(0xff), { minLength: 48, maxLength: 48 })),
  )
  .map(([length, all]) => Buffer.from(all.slice(0, length)));

const encoded = (encoding: BufferEncoding) => bytes.map((raw) => raw.toString(encoding));
const json = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const spelled = (alphabet: string) =>
  bytes.map((raw) => Array.from(raw, (byte) => alphabet[byte % alphabet.length]).join(""));

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/** Secrets as programs and password managers make them. */
export const randomSecrets: fc.Arbitrary<string> = fc.oneof(
  encoded("hex"),
  encoded("hex").map((text) => text.toUpperCase()),
  encoded("base64"),
  encoded("base64url"),
  spelled("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
  spelled("0123456789"),
  spelled("abcdefghijklmnopqrstuvwxyz"),
  spelled(`0123456789${letters}`),
  spelled(`0123456789${letters}${marks}`),
  fc.noBias(fc.uuid()),
  fc.noBias(fc.uuid()).map((uuid) => `{${uuid}}`),
  encoded("hex").map((text) => `sk_live_${text}`),
  fc
    .tuple(bytes, bytes)
    .map(
      ([id, signature]) =>
        `${json({ alg: "HS256", typ: "JWT" })}.${json({ sub: id.toString("hex") })}.${signature.toString("base64url")}`,
    ),
);
