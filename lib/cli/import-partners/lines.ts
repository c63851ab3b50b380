import { clientIdFault, clientSecretFault } from "@/lib/connection/model/request";
import { maxNameLength } from "@/lib/partners/model/change-requests";
import { fieldErrorTitles, type FieldCode } from "@/lib/platform/http/model/field-errors";
import { idPattern } from "@/lib/platform/http/model/id-pattern";
import { code, emailField, missingOr, nameField } from "@/lib/platform/http/model/request-fields";
import { parseStrictJson } from "@/lib/platform/http/read-body";
import { Secret } from "@/lib/platform/runtime/secret";
import { standInFor } from "@/lib/platform/secrets/model/stand-in";
import type { Credentials } from "@/lib/connection/server/credentials";
import * as z from "zod/mini";

/** What one line of the file says of a partner. */
export type PartnerLine = {
  /** Its number in the file, from 1 on. */
  line: number;
  id: string;
  name: string;
  admins: readonly { email: string; name?: string | undefined }[];
  /** By environment. */
  connections: ReadonlyMap<string, Credentials>;
  /** undefined: as it is. */
  suspended?: boolean | undefined;
};

/** What is wrong with a line, in words that contain no secret. */
export type LineFault = { line: number; what: string };

const checkedBy = (faultOf: (value: string) => FieldCode | null) =>
  z.string({ error: missingOr("not_text") }).check(
    z.check((field) => {
      const fault = faultOf(field.value);
      if (fault) field.issues.push({ code: "custom", input: field.value, message: fault });
    }),
  );

/** Nobody can be asked whether a word is meant. */
const secretFault = (value: string) =>
  clientSecretFault(value) ?? (standInFor(value) === null ? null : "placeholder");

const list = { error: code("not_offered") };
const object = {
  error: (issue: { code?: string }) =>
    issue.code === "unrecognized_keys" ? code("unknown_field") : code("not_an_object"),
};

const adminSchema = z.strictObject({ email: emailField, name: z.optional(nameField(100)) }, object);
const credentialsSchema = z.strictObject(
  { client_id: checkedBy(clientIdFault), client_secret: checkedBy(secretFault) },
  object,
);
const lineSchema = z.strictObject(
  {
    id: z
      .string({ error: missingOr("not_text") })
      .check(z.regex(idPattern, { error: code("not_an_id") })),
    name: nameField(maxNameLength),
    admins: z.optional(z.array(adminSchema, list)),
    connections: z.optional(z.record(z.string(), credentialsSchema, object)),
    suspended: z.optional(z.boolean(list)),
  },
  object,
);

/** Every line of the file that says something, and every fault, in the order of the file. */
export function readLines(
  text: string,
  environments: ReadonlySet<string>,
): { lines: PartnerLine[]; faults: LineFault[] } {
  const lines: PartnerLine[] = [];
  const faults: LineFault[] = [];
  const earlier = { ids: new Map<string, number>(), clients: new Map<string, number>() };
  for (const [index, written] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    if (written.trim() === "") continue;
    const line = index + 1;
    const read = readLine(written, environments);
    const found = "faults" in read ? read.faults : faultsAmong(read, environments, earlier, line);
    faults.push(...found.map((what) => ({ line, what })));
    if (!("faults" in read)) lines.push({ line, ...read });
  }
  return { lines, faults };
}

function readLine(
  written: string,
  environments: ReadonlySet<string>,
): Omit<PartnerLine, "line"> | { faults: string[] } {
  let value: unknown;
  try {
    value = parseStrictJson(written);
  } catch {
    return { faults: ["is not a JSON object on one line, or repeats a field"] };
  }
  const { data, error } = z.safeParse(lineSchema, value);
  if (!data)
    return { faults: [...new Set(error.issues.map((issue) => inWords(issue, environments)))] };
  const { id, name, admins = [], connections = {}, suspended } = data;
  const credentials = Object.entries(connections).map(
    ([environment, { client_id, client_secret }]) =>
      [environment, { clientId: client_id, clientSecret: new Secret(client_secret) }] as const,
  );
  return { id, name, admins, connections: new Map(credentials), suspended };
}

/** Neither values nor unknown names: a secret may have slipped there. */
function inWords(
  { path, message }: { path: PropertyKey[]; message: string },
  environments: ReadonlySet<string>,
): string {
  const [field, environment] = path.map(String);
  if (field === "connections" && environment !== undefined && !environments.has(environment))
    return unknownEnvironment(environments);
  const title = fieldErrorTitles[message as FieldCode] ?? fieldErrorTitles.not_offered;
  const said =
    message === "unknown_field"
      ? "has a field that import-partners does not know"
      : message === "placeholder"
        ? "is a placeholder or a word for a secret, not a secret"
        : title.charAt(0).toLowerCase() + title.slice(1);
  return path.length === 0 ? said : `${path.map(String).join(".")} ${said}`;
}

function unknownEnvironment(environments: ReadonlySet<string>): string {
  return `has a connection for an environment that PARTNER_API_ENVIRONMENTS does not have: it has ${[...environments].join(", ")}`;
}

type Earlier = { ids: Map<string, number>; clients: Map<string, number> };

/** What only the configuration and the lines before show. */
function faultsAmong(
  { id, admins, connections }: Omit<PartnerLine, "line">,
  environments: ReadonlySet<string>,
  { ids, clients }: Earlier,
  line: number,
): string[] {
  const faults: string[] = [];
  const before = ids.get(id);
  if (before === undefined) ids.set(id, line);
  else faults.push(`is about ${id}, as line ${before} is`);
  const emails = admins.map(({ email }) => email);
  const twice = emails.find((email, at) => emails.indexOf(email) < at);
  if (twice !== undefined) faults.push(`names ${twice} twice`);
  for (const [environment, { clientId }] of connections) {
    if (!environments.has(environment)) {
      faults.push(unknownEnvironment(environments));
      continue;
    }
    // One partner would see, and change, what the other one registered.
    const key = JSON.stringify([environment, clientId]);
    const other = clients.get(key);
    if (other === undefined) clients.set(key, line);
    else if (before === undefined)
      faults.push(
        `has the client_id of line ${other} for ${environment}: each partner has its own`,
      );
  }
  return faults;
}
