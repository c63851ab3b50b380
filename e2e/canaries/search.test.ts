import { createTokens } from "@/lib/sandbox/tokens";
import { expect, it } from "vitest";
import { canary, canaryKey, canaryKinds, markNeedles } from "./canary";
import { searcherFor } from "./search";

const search = searcherFor(markNeedles);
const secret = canary("authorization", "of the test");

const writings: [string, (text: string) => string | Buffer][] = [
  ["as it is", (text) => `before ${text} after`],
  ["right at the beginning and the end", (text) => text],
  ["in base64", (text) => Buffer.from(text).toString("base64")],
  ["in base64 after one more byte", (text) => Buffer.from(`:${text}`).toString("base64")],
  ["in base64 after two more bytes", (text) => Buffer.from(`a:${text}`).toString("base64")],
  ["in base64url", (text) => Buffer.from(`??${text}`).toString("base64url")],
  ["in hexadecimal", (text) => Buffer.from(text).toString("hex")],
  ["in upper-case hexadecimal", (text) => Buffer.from(text).toString("hex").toUpperCase()],
  ["URL-encoded", (text) => encodeURIComponent(text)],
  [
    "URL-encoded to the last letter",
    (text) => Buffer.from(text).toString("hex").replace(/../g, "%$&"),
  ],
  ["in JSON", (text) => JSON.stringify({ text })],
  [
    "in JSON with every letter escaped",
    (text) => [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  ],
  ["in UTF-16", (text) => Buffer.from(text, "utf16le")],
  [
    "among bytes that are no text",
    (text) => Buffer.concat([Buffer.alloc(3, 0xff), Buffer.from(text)]),
  ],
];

it.each(writings)("finds a secret written %s", (_how, write) => {
  expect(search(Buffer.from(write(secret)))).toMatchObject([{ kind: "authorization" }]);
});

it("finds a text with quotes however it was escaped", () => {
  const text = '{"quoted":"and <bracketed>"}';
  const find = searcherFor([{ kind: "text", text }]);
  for (const written of [
    JSON.stringify(text),
    JSON.stringify(JSON.stringify({ text })),
    encodeURIComponent(text),
    text.replace(/"/g, "&quot;").replace(/</g, "&lt;"),
  ])
    expect(find(Buffer.from(written)), written).toHaveLength(1);
});

it("finds each kind, and the keys both as bytes and as they are configured", () => {
  const values = canaryKinds.map((kind) => canary(kind, 1));
  expect(search(Buffer.from(values.join("\n"))).map(({ kind }) => kind)).toEqual(canaryKinds);
  const key = canaryKey();
  for (const bytes of [Buffer.from(key), Buffer.from(key, "base64")])
    expect(search(bytes)).toMatchObject([{ kind: "encryption-key" }]);
});

it("finds any client's access token of the sandbox", async () => {
  const tokens = createTokens({ key: new Uint8Array(32), ttl: 60, now: () => 0 });
  const { access_token } = await tokens.issue("anybody");
  expect(search(Buffer.from(`Bearer ${access_token}`))).toMatchObject([{ kind: "access token" }]);
});

it("finds nothing in other texts, and never repeats a secret", () => {
  expect(search(Buffer.from("Canary, 7d20, authorization"))).toEqual([]);
  expect(search(Buffer.alloc(0))).toEqual([]);
  expect(JSON.stringify(search(Buffer.from(secret)))).not.toContain("7d20");
});
