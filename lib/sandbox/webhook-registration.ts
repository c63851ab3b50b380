import type { ErrorObject } from "ajv";
import {
  limits,
  webhookTypes,
  type WebhookType,
} from "@/lib/platform/payment-service/contract/terms";
import type { components } from "@/lib/platform/payment-service/contract/wire";
import { isContractUrl, isWebhookRegistration } from "./contract-rules";
import type { Registration } from "./store";

type WireType = NonNullable<components["schemas"]["WebhookRegistration"]["type"]>;

type RegistrationReading = { ok: true; registration: Registration } | { ok: false; error: string };

/** Reads a registration request (section 2.3). The error says which field is wrong and never repeats its value. */
export function readRegistration(body: unknown): RegistrationReading {
  if (!isWebhookRegistration(body)) {
    return { ok: false, error: describe(isWebhookRegistration.errors?.[0]) };
  }
  if (!isContractUrl(body.url)) return { ok: false, error: problems.url };
  return {
    ok: true,
    registration: {
      types: body.type === undefined ? webhookTypes : typesOf[body.type],
      callbackUrl: body.url,
      authorization: body.authorization ?? null,
    },
  };
}

const typesOf: Record<WireType, readonly WebhookType[]> = {
  pix_in: ["pix_in"],
  pix_out: ["pix_out"],
  "pix_in, pix_out": webhookTypes,
  "pix_in,pix_out": webhookTypes,
};

const problems = {
  body: "The body must be a JSON object",
  url: `url must be an https:// address in printable ASCII, at most ${limits.callbackUrl} characters, with a plain host name`,
  type: "type must be pix_in, pix_out, both joined by a comma, or left out",
  authorization: `authorization must be 1 to ${limits.authorization} characters of printable ASCII without a space at either end, or left out`,
} as const;

function describe(error: ErrorObject | undefined): string {
  switch (error?.keyword) {
    case "required":
      return problems.url;
    case "additionalProperties":
      return "The body has a field other than url, type and authorization";
  }
  switch (error?.instancePath) {
    case "/url":
      return problems.url;
    case "/type":
      return problems.type;
    case "/authorization":
      return problems.authorization;
    default:
      return problems.body;
  }
}
