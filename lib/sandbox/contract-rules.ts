import { Ajv2020 } from "ajv/dist/2020.js";
import contract from "@/lib/platform/payment-service/contract/openapi.json";
import type { components } from "@/lib/platform/payment-service/contract/wire";
import { hasPlainHost } from "./plain-host";

const ajv = new Ajv2020({ strict: true });
// To a schema compiler the document is a schema whose members mean nothing, but hold those it is asked for.
ajv.addVocabulary(Object.keys(contract));
ajv.addSchema(contract, "contract");

/** The rule that the contract's document states for one of its schemas. */
function rule<Name extends keyof components["schemas"]>(name: Name) {
  return ajv.compile<components["schemas"][Name]>({ $ref: `contract#/components/schemas/${name}` });
}

export const isTokenRequest = rule("TokenRequest");
export const isWebhookRegistration = rule("WebhookRegistration");
const hasUrlCharacters = rule("CallbackUrl");
const hasAuthorizationCharacters = rule("AuthorizationValue");

/**
 * Whether the sandbox takes this text as `url` (sections 2.3 and 8). Any https host will do, private ones
 * included: the contract does not exclude them.
 */
export function isContractUrl(raw: string): boolean {
  return hasUrlCharacters(raw) && hasPlainHost(raw);
}

/** Whether the sandbox takes this text as `authorization` (sections 2.3 and 8). */
export function isContractAuthorization(raw: string): boolean {
  return hasAuthorizationCharacters(raw);
}
