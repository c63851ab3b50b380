import { expect, it } from "vitest";
import { readLines } from "./lines";

const environments = new Set(["sandbox", "production"]);
const secret = "s3cr3t-Vj2kQ9xT";
const aurora = { id: "aurora", name: "Loja Aurora" };
const client = (client_id: string, client_secret: unknown = secret) => ({
  client_id,
  client_secret,
});
const withClient = (credentials: object, environment = "production") =>
  JSON.stringify({ ...aurora, connections: { [environment]: credentials } });
const read = (...lines: string[]) => readLines(lines.join("\n"), environments);
const faultsIn = (...lines: string[]) =>
  read(...lines).faults.map(({ line, what }) => `${line} ${what}`);

it("reads what each line says, whatever the file's end and its line breaks", () => {
  const written = JSON.stringify({
    ...aurora,
    admins: [{ email: " Ana@Aurora.example", name: "Ana Reis" }],
    connections: { production: client("aurora-live") },
    suspended: true,
  });
  const { lines, faults } = readLines(
    `\uFEFF${written}\r\n\r\n${JSON.stringify({ id: "mercado", name: "Mercado" })}`,
    environments,
  );
  expect(faults).toEqual([]);
  expect(lines).toMatchObject([
    {
      line: 1,
      ...aurora,
      suspended: true,
      admins: [{ email: "ana@aurora.example", name: "Ana Reis" }],
    },
    { line: 3, id: "mercado", name: "Mercado", admins: [], suspended: undefined },
  ]);
  const credentials = lines[0]?.connections.get("production");
  expect(credentials?.clientId).toBe("aurora-live");
  expect(credentials?.clientSecret.reveal()).toBe(secret);
  expect(JSON.stringify(lines.map(({ connections }) => [...connections]))).not.toContain(secret);
});

it.each<[string, string[]]>([
  [
    `{"id":"aurora","client_secret":"${secret}"`,
    ["1 is not a JSON object on one line, or repeats a field"],
  ],
  [
    `{"id":"aurora","id":"other","name":"x"}`,
    ["1 is not a JSON object on one line, or repeats a field"],
  ],
  [`["aurora"]`, ["1 must be an object"]],
  [`{"name":"Loja Aurora"}`, ["1 id is required"]],
  [
    `{"id":"Aurora!","name":""}`,
    ["1 id must be 3 to 40 lower-case letters, digits and hyphens", "1 name is required"],
  ],
  [
    JSON.stringify({ ...aurora, [secret]: 1 }),
    ["1 has a field that import-partners does not know"],
  ],
  [
    JSON.stringify({ ...aurora, suspended: "no" }),
    ["1 suspended is not one of the values offered"],
  ],
  [
    JSON.stringify({ ...aurora, admins: [{ email: "ana" }, { name: "Ana" }] }),
    ["1 admins.0.email must be an e-mail address", "1 admins.1.email is required"],
  ],
  [
    JSON.stringify({ ...aurora, admins: [{ email: "ana@a.example" }, { email: "ANA@a.example" }] }),
    ["1 names ana@a.example twice"],
  ],
  [
    withClient(client("aurora"), "prodution"),
    [
      "1 has a connection for an environment that PARTNER_API_ENVIRONMENTS does not have: it has sandbox, production",
    ],
  ],
  ...[{ client_id: "aurora" }, "aurora"].map((value): [string, string[]] => [
    JSON.stringify({ ...aurora, connections: { [`aurora:${secret}`]: value } }),
    [
      "1 has a connection for an environment that PARTNER_API_ENVIRONMENTS does not have: it has sandbox, production",
    ],
  ]),
  [withClient({ client_id: "aurora" }), ["1 connections.production.client_secret is required"]],
  [withClient(client("au:rora")), ["1 connections.production.client_id contains a colon"]],
  [
    withClient(client("aurora", ` ${secret}`)),
    ["1 connections.production.client_secret has a space at the start or the end"],
  ],
  [
    withClient(client("aurora", "••••••••")),
    ["1 connections.production.client_secret is a mask, not a value"],
  ],
  ...["<client secret>", "changeme", "secret"].map((value): [string, string[]] => [
    withClient(client("aurora", value)),
    [
      "1 connections.production.client_secret is a placeholder or a word for a secret, not a secret",
    ],
  ]),
])("names what is wrong with %s, and no secret", (line, faults) => {
  expect(faultsIn(line)).toEqual(faults);
  expect(faults.join()).not.toContain(secret);
});

it("names each fault with its line, also one that another line makes", () => {
  expect(
    faultsIn(
      withClient(client("aurora")),
      "{",
      JSON.stringify({ ...aurora, name: "Another" }),
      JSON.stringify({
        id: "mercado",
        name: "Mercado",
        connections: { production: client("aurora") },
      }),
      JSON.stringify({ id: "tiete", name: "Tietê", connections: { sandbox: client("aurora") } }),
    ),
  ).toEqual([
    "2 is not a JSON object on one line, or repeats a field",
    "3 is about aurora, as line 1 is",
    "4 has the client_id of line 1 for production: each partner has its own",
  ]);
});
