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
  // The service knows whether it is.
  { clientSecret: "secret" },
  { version: null },
  { saveUnchecked: true },
  { clientId: "a".repeat(credentialLimits.clientId) },
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
  // Nobody sees that they are there, and the history would show the id as another one.
  [{ clientId: "aurora\u3164" }, "clientId", "invisible_character"],
  [{ clientId: "aur\u034fora" }, "clientId", "invisible_character"],
  [{ clientId: "aurora\uffa0" }, "clientId", "invisible_character"],
  [{ clientId: "aurora\u00a0live" }, "clientId", "invisible_character"],
  [{ clientSecret: "s3cr\u2007et" }, "clientSecret", "invisible_character"],
  [{ clientId: "{CLIENT_ID}" }, "clientId", "placeholder"],
  [{ clientId: "your-client-id" }, "clientId", "placeholder"],
  [{ clientSecret: "" }, "clientSecret", "required"],
  [{ clientSecret: "••••••••" }, "clientSecret", "masked"],
  [{ clientSecret: "[secret]" }, "clientSecret", "masked"],
  [{ clientSecret: "****1234" }, "clientSecret", "masked"],
  [{ clientSecret: "<client secret>" }, "clientSecret", "placeholder"],
  [{ clientSecret: "${CLIENT_SECRET}" }, "clientSecret", "placeholder"],
  [{ clientSecret: "changeme" }, "clientSecret", "placeholder"],
  [{ clientSecret: "x".repeat(1_001) }, "clientSecret", "too_long"],
  [{ clientSecret: null }, "clientSecret", "not_text"],
  [{ version: 0 }, "version", "not_offered"],
  [{ version: undefined }, "version", "required"],
  [{ saveUnchecked: false }, "saveUnchecked", "not_offered"],
  [{ baseUrl: "https://elsewhere.example" }, "", "unknown_field"],
])("%j may not be set", (fields, path, code) => {
  expect(faultsOf(fields)).toEqual({ [path]: code });
});
