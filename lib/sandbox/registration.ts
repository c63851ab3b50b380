import contract from "@/lib/platform/payment-service/contract/openapi.json";
import {
  limits,
  webhookTypes,
  type WebhookType,
  type Wire,
} from "@/lib/platform/payment-service/contract/terms";
import type { ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isIPv4 } from "node:net";
import type { Registration } from "./store";

const ajv = new Ajv2020({ strict: true });
// Ajv reads the whole document as one schema, and would refuse its keys as unknown keywords.
ajv.addVocabulary(Object.keys(contract));
ajv.addSchema(contract, "contract");

/** The rule that the contract's document states for one of its schemas. */
function rule<Body>(name: keyof typeof contract.components.schemas) {
  return ajv.compile<Body>({ $ref: `contract#/components/schemas/${name}` });
}

export const isTokenRequest = rule<Wire["TokenRequest"]>("TokenRequest");
const isWebhookRegistration = rule<Wire["WebhookRegistration"]>("WebhookRegistration");
const hasUrlCharacters = rule<string>("CallbackUrl");
const hasAuthorizationCharacters = rule<string>("AuthorizationValue");

/**
 * Whether the sandbox accepts this text as `url` (sections 2.3 and 8). Any https host will do, private ones
 * included: the contract does not exclude them.
 */
export function isContractUrl(raw: string): boolean {
  return hasUrlCharacters(raw) && hasPlainHost(raw);
}

/** Whether the sandbox accepts this text as `authorization` (sections 2.3 and 8). */
export function isContractAuthorization(raw: string): boolean {
  return hasAuthorizationCharacters(raw);
}

/** After `https://`: a host, perhaps a port, and then the end, a path or a query. */
const authority = /^https:\/\/(\[[^\]]*\]|[^:/?[\]]+)(?::(\d*))?(?=[/?]|$)/;

/**
 * The part of the rule for `url` that the pattern in the contract's document cannot express: every reader of the
 * address, person or program, must see the same host in it. So no user information before it, no dot at its end, no
 * spelling that the URL standard normalises to another one (`127.1`, `0x7f.1`, `ex%61mple.com`), and no port 0, to which
 * nobody can connect.
 *
 * Expects printable ASCII. Takes `xn--` labels literally: which of them decode to a name depends on the version of
 * Unicode, and a rule must not.
 */
function hasPlainHost(url: string): boolean {
  const [, written = "", port = ""] = authority.exec(url) ?? [];
  return isPlainHost(written.toLowerCase()) && (port === "" || isPort(Number(port)));
}

function isPort(port: number): boolean {
  return port > 0 && port <= 65_535;
}

function isPlainHost(host: string): boolean {
  if (host.startsWith("[")) return isCanonicalIpv6(host);
  if (!/^[a-z0-9!$&'()*+,\-.;=_~]+$/.test(host) || host.endsWith(".")) return false;
  return isIPv4(host) || !isNumber(host.slice(host.lastIndexOf(".") + 1));
}

/** A URL parser reads a host with a numeric last label as an IPv4 address, however it is written. */
function isNumber(label: string): boolean {
  return /^(?:\d+|0x[0-9a-f]*)$/.test(label);
}

function isCanonicalIpv6(host: string): boolean {
  const url = `https://${host}`;
  return URL.canParse(url) && new URL(url).hostname === host;
}

type WireType = NonNullable<Wire["WebhookRegistration"]["type"]>;

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
