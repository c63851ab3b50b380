import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { EnvelopeError, open, seal } from "./envelope";

const key = { id: "k1", bytes: randomBytes(32) };
const additionalData = ["field", "aurora", "connections", "c1", "secret"];
const plain = Buffer.from("s3cr3t ação");

it("opens where it was sealed", () => {
  expect(open(key, additionalData, seal(key, additionalData, plain))).toEqual(plain);
  expect(open(key, additionalData, seal(key, additionalData, Buffer.alloc(0)))).toEqual(
    Buffer.alloc(0),
  );
});

it.each([
  ["another partner", ["field", "mercado", "connections", "c1", "secret"]],
  ["another row", ["field", "aurora", "connections", "c2", "secret"]],
  ["another column", ["field", "aurora", "connections", "c1", "client_id"]],
  ["the same letters, divided otherwise", ["field", "auroraconnections", "c1", "secret"]],
])(
  "does not open in %s (threat: a ciphertext moved by whoever can write the database)",
  (_where, other) => {
    const envelope = seal(key, additionalData, plain);
    expect(() => open(key, other, envelope)).toThrow(EnvelopeError);
  },
);

it("does not open when any of its characters is changed (threat: tampering)", () => {
  const envelope = seal(key, additionalData, plain);
  // The last character of a Base64 text may carry bits that mean nothing, so another one of the byte is changed.
  for (let at = 0; at < envelope.length - 1; at++) {
    const other = envelope[at] === "A" ? "B" : "A";
    const changed = envelope.slice(0, at) + other + envelope.slice(at + 1);
    expect(() => open(key, additionalData, changed), `character ${at}`).toThrow(EnvelopeError);
  }
});

it("does not open under another key, not even one of the same id", () => {
  const envelope = seal(key, additionalData, plain);
  expect(() => open({ id: "k2", bytes: key.bytes }, additionalData, envelope)).toThrow(
    "under another key",
  );
  expect(() => open({ id: "k1", bytes: randomBytes(32) }, additionalData, envelope)).toThrow(
    EnvelopeError,
  );
});

it.each([
  "",
  "v1",
  "v1.k1.AAAA",
  "v2.k1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA",
  "v1.k1.AAAAAAAAAAAAAAAA.AAAA",
])("refuses %j, which is no envelope", (text) => {
  expect(() => open(key, additionalData, text)).toThrow("not an envelope");
});

it("draws a new nonce each time, so that equal values look different", () => {
  const envelopes = Array.from({ length: 50 }, () => seal(key, additionalData, plain));
  expect(new Set(envelopes.map((envelope) => envelope.split(".")[2])).size).toBe(50);
});
