import { Ajv2020 } from "ajv/dist/2020.js";
import contract from "@/lib/partner-api/contract/openapi.json";
import type { components } from "@/lib/partner-api/contract/wire";

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

/**
 * The part of the URL rule that a pattern cannot say: whoever reads the address, by eye or by program, must see the
 * same host in it. So no user information before it, no spelling that parsers turn into another one (`127.1`,
 * `0x7f.1`, `ex%61mple.com`), no dot at its end, and no port 0, to which nobody can connect.
 */
function hasPlainHost(raw: string): boolean {
  const [authority = ""] = raw.slice("https://".length).split(/[/?]/, 1);
  if (authority.includes("@") || !URL.canParse(raw)) return false;
  const parsed = new URL(raw);
  const written = authority.replace(/:\d*$/, "").toLowerCase();
  return parsed.hostname === written && !written.endsWith(".") && parsed.port !== "0";
}
