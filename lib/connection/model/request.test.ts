import { expect, it } from "vitest";
import { connectionRequestSchema, credentialLimits } from "./request";

function faultsOf(fields: object): Record<string, string> {
  const body = { clientId: "aurora", clientSecret: "a secret", version: 1, ...fields };
  const parsed = connectionRequestSchema.safeParse(body);
  return Object.fromEntries(
    (parsed.error?.issues ?? []).map(({ path, message }) => [path.join("."), message]),
  );
}

it.each([
  { clientId: "aurora-ação" },
  { clientSecret: "n0t:for-the-ëyes" },
  { clientSecret: undefined },
  { version: null },
  { saveUnchecked: true },
  { clientId: "x".repeat(credentialLimits.clientId) },
  { clientSecret: "🪝".repeat(credentialLimits.clientSecret) },
])("%j may be set", (fields) => {
  expect(faultsOf(fields)).toEqual({});
});

it.each([
  [{ clientId: "" }, "clientId", "required"],
  [{ clientId: " aurora" }, "clientId", "surrounding_space"],
  // The service would read "a" as the id and the rest as a part of the secret.
  [{ clientId: "a:b" }, "clientId", "colon"],
  [{ clientId: "auro\nra" }, "clientId", "invisible_character"],
  [{ clientId: "aurora\u200b" }, "clientId", "invisible_character"],
  [{ clientId: "x".repeat(201) }, "clientId", "too_long"],
  [{ clientSecret: "" }, "clientSecret", "required"],
  [{ clientSecret: "••••••••" }, "clientSecret", "masked"],
  [{ clientSecret: "[secret]" }, "clientSecret", "masked"],
  [{ clientSecret: "x".repeat(1_001) }, "clientSecret", "too_long"],
  [{ clientSecret: null }, "clientSecret", "not_text"],
  [{ version: 0 }, "version", "not_offered"],
  [{ version: undefined }, "version", "required"],
  [{ saveUnchecked: false }, "saveUnchecked", "not_offered"],
  [{ baseUrl: "https://elsewhere.example" }, "", "unknown_field"],
])("%j may not be set", (fields, path, code) => {
  expect(faultsOf(fields)).toEqual({ [path]: code });
});
