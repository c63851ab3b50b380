import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { z } from "zod";
import contract from "./openapi.json";
import { contractPaths, eventKinds, limits, webhookTypes, type Wire } from "./terms";

const { schemas } = contract.components;

/** Each required field true, and each optional one false; the compiler compares it with the types of terms.ts. */
type Fields<Body> = { [Name in keyof Body]-?: undefined extends Body[Name] ? false : true };

test("terms.ts has the bodies of the document, with their fields", () => {
  const fields: { [Name in keyof Wire]: Fields<Wire[Name]> } = {
    TokenRequest: { grant_type: true },
    Token: { access_token: true, token_type: true, expires_in: true },
    WebhookConfiguration: {
      type: false,
      callback_url: true,
      auth_header: false,
      authorization: false,
      events: true,
    },
    WebhookList: { webhooks: true },
    WebhookRegistration: { url: true, type: false, authorization: false },
    Message: { message: true },
    Error: { error: true },
  };
  const found = Object.entries(schemas).flatMap(([name, schema]) => {
    if (!("properties" in schema)) return [];
    const required: readonly string[] = schema.required;
    const names = Object.keys(schema.properties);
    return [[name, Object.fromEntries(names.map((field) => [field, required.includes(field)]))]];
  });
  expect(Object.fromEntries(found)).toEqual(fields);
});

test("terms.ts and the document say the same of paths, types, limits and events", () => {
  expect(Object.keys(contract.paths)).toEqual(Object.values(contractPaths));
  expect(schemas.WebhookType.enum).toEqual(webhookTypes);
  expect(schemas.WebhookRegistration.properties.type.enum).toEqual([
    ...webhookTypes,
    webhookTypes.join(", "),
    webhookTypes.join(","),
  ]);
  const { callback_url, authorization, auth_header, events } =
    schemas.WebhookConfiguration.properties;
  for (const url of [schemas.CallbackUrl, callback_url])
    expect(url.maxLength).toBe(limits.callbackUrl);
  for (const value of [schemas.AuthorizationValue, authorization, auth_header])
    expect(value.maxLength).toBe(limits.authorization);
  expect(events.items.maxLength).toBe(limits.event);

  const { examples } =
    contract.paths["/api/v1/webhooks"].get.responses[200].content["application/json"];
  const shown = examples.both.value.webhooks.map(({ type, events }) => [type, events]);
  expect(Object.fromEntries(shown)).toEqual(eventKinds);
  for (const kind of Object.values(eventKinds).flat()) expect(events.description).toContain(kind);
});

test("every example in the document is of the schema it stands beside", () => {
  const ajv = new Ajv2020({ strict: true });
  ajv.addVocabulary(Object.keys(contract));
  ajv.addSchema(contract, "contract");
  const found = mediaTypes(contract, "#");
  expect(found.length).toBeGreaterThan(10);
  for (const { pointer, examples } of found) {
    const validate = ajv.compile({ $ref: `contract${pointer}/schema` });
    for (const [name, { value }] of Object.entries(examples)) {
      expect(validate(value), `${pointer} ${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    }
  }
});

const mediaType = z.object({
  schema: z.object({}),
  examples: z.record(z.string(), z.object({ value: z.unknown() })),
});

function mediaTypes(
  node: unknown,
  pointer: string,
): (z.infer<typeof mediaType> & { pointer: string })[] {
  if (typeof node !== "object" || node === null) return [];
  const parsed = mediaType.safeParse(node);
  if (parsed.success) return [{ ...parsed.data, pointer }];
  return Object.entries(node).flatMap(([key, child]) =>
    mediaTypes(child, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
}
