import next from "@next/eslint-plugin-next";
import { createTypeScriptImportResolver } from "eslint-import-resolver-typescript";
import importX from "eslint-plugin-import-x";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";
import { loneText } from "./lib/tools/lint/lone-text.mjs";
import { plainTags } from "./lib/tools/lint/plain-tags.mjs";

/** Code that only the server may run; `model` runs anywhere, `client` in the browser. */
const server = [
  "./lib/*/server/**",
  "./lib/{sandbox,cli,tools}/**",
  "./lib/platform/*/*.ts",
  "./lib/platform/*/!(model|client|contract|messages)/**",
];

/** A part of the platform, and the parts and features that it may import. */
function part(name, ...known) {
  const [features, parts] = [known.filter(isFeature), known.filter((other) => !isFeature(other))];
  return {
    target: `./lib/platform/${name}`,
    from: [
      `./lib/!(${["platform", ...features].join("|")})/**`,
      `./lib/platform/!(${[name, ...parts].join("|")})/**`,
    ],
  };
}

/** A feature, and the features that it may import. It may also import all of the platform except request handling. */
function feature(name, ...known) {
  return {
    target: `./lib/${name}`,
    from: [`./lib/!(${["platform", name, ...known].join("|")})/**`, "./lib/platform/http/*.ts"],
  };
}

function isFeature(name) {
  return ["alerts", "history"].includes(name);
}

/** Imports run one way: each zone lists what the folder must not import. docs/decisions/layout.md says why. */
const zones = [
  { target: "./lib", from: ["./app", "./components", "./e2e"] },
  { target: "./components", from: ["./app", "./e2e"] },
  { target: "./app", from: "./e2e" },

  // The folder says where code may run.
  { target: "./components", from: server },
  { target: "./lib/**/client/**", from: server },
  { target: "./lib/**/model/**", from: [...server, "./lib/**/client/**"] },
  { target: "./lib/**/server/**", from: "./lib/**/client/**" },

  // From the ground up.
  part("runtime"),
  part("env", "http", "runtime"),
  part("metrics", "runtime"),
  part("log", "env", "http", "metrics", "runtime"),
  part("i18n", "env", "runtime"),
  part("database", "env", "http", "log", "metrics", "runtime"),
  part("secrets", "database", "env", "http", "log", "runtime"),
  part("limits", "database", "env", "http", "log", "runtime"),
  part("mail", "database", "egress", "env", "http", "i18n", "log", "runtime", "secrets"),
  // The wire knows HTTP and no user.
  part(
    "payment-service",
    "database",
    "egress",
    "env",
    "http",
    "log",
    "metrics",
    "runtime",
    "secrets",
  ),
  // Imports no feature: its rules are configuration, and callers pass in what it sends.
  part("egress", "env", "runtime"),
  // Who is asking, and what they may do. What happens there is recorded in the history.
  part(
    "auth",
    "database",
    "egress",
    "env",
    "history",
    "http",
    "i18n",
    "limits",
    "log",
    "mail",
    "runtime",
    "secrets",
  ),
  part("access", "auth", "database", "env", "http", "log", "runtime", "secrets"),
  part("http", "access", "auth", "database", "env", "limits", "log", "runtime", "secrets"),

  feature("alerts"),
  // Any recorded entry may cause an alert.
  feature("history", "alerts"),
  // How long data is kept, and how a person's data is erased.
  feature("retention", "changes", "history"),
  feature("partners", "history"),
  // Every kind of change that waits for a second person.
  feature("changes", "history", "partners"),
  feature("team", "changes", "history"),
  feature("account", "alerts", "history"),
  feature("staff", "history"),
  feature("webhooks", "changes", "history", "partners"),
  // What looks have shown, at the bottom; the steps of a save; what the browser gets, on top.
  ...["observe", "save"].map((folder, at) => ({
    target: `./lib/webhooks/server/${folder}/!(*.test).ts`,
    from: ["save", "answer"].slice(at).map((above) => `./lib/webhooks/server/${above}/**`),
  })),
  // The connection imports webhooks, which are read and saved over it, not the other way round.
  feature("connection", "changes", "history", "partners", "team", "webhooks"),
  feature("endpoint-check", "alerts", "history", "partners", "webhooks"),
  feature("capture", "history", "webhooks"),
  feature("receiver-kit"),
  // It decides on the proposals of other features.
  feature("approvals", "changes", "connection", "history", "partners", "webhooks"),
  // The one list from which every screen says whether all is well.
  feature("attention", "approvals", "endpoint-check", "history", "partners", "webhooks"),
  feature("support", "approvals", "attention", "history", "partners", "webhooks"),
  // It runs the other features' background work; none of them imports it.
  feature(
    "watch",
    "alerts",
    "attention",
    "endpoint-check",
    "history",
    "partners",
    "retention",
    "webhooks",
  ),
  feature("installation", "alerts", "partners", "team"),
  // The sandbox shares no code with our client, and so none of its mistakes.
  {
    target: "./lib/sandbox",
    from: [
      "./lib/!(sandbox|platform)/**",
      "./lib/platform/!(env|http|log|runtime|payment-service)/**",
      "./lib/platform/payment-service/*.ts",
      "./lib/platform/payment-service/!(contract)/**",
    ],
  },
].map((zone) => ({ ...zone, message: "Imports run one way; see docs/decisions/layout.md." }));

/**
 * Only lib/platform/egress connects to addresses that people enter. These files connect to configured addresses, or
 * only listen; a new one needs its reason here.
 */
const connecting = [
  "lib/platform/egress/**",
  // The payment service and the database, at the operator's addresses.
  "lib/platform/payment-service/transport/**",
  "lib/platform/database/{open,postgres}.ts",
  // OIDC_ISSUER, and the address of its keys that it names.
  "lib/platform/auth/oidc/provider-keys.ts",
  // ALERTS_URL.
  "lib/alerts/server/send.ts",
  // The operator's programs, and the sandbox.
  "lib/{cli,sandbox,tools}/**",
];
const isIpOnly = ["isIP", "isIPv4", "isIPv6"];
const noConnections = {
  paths: [
    ...["tls", "http", "https", "http2", "dgram", "dns", "dns/promises"].map((name) => ({ name })),
    { name: "net", allowImportNames: isIpOnly },
    { name: "undici" },
    { name: "next/dist/compiled/undici" },
  ].flatMap((path) => [
    path,
    ...(path.name.includes("undici") ? [] : [{ ...path, name: `node:${path.name}` }]),
  ]),
};
for (const path of noConnections.paths) {
  path.allowTypeImports = true;
  path.message =
    "Only lib/platform/egress connects to a person's address; see docs/decisions/endpoint-check.md.";
}

const syntax = [
  {
    selector: "CallExpression[callee.name='dynamic'] Property[key.name='loading']",
    message:
      "Render it in an AppearingPart: with a boundary of its own, it arrives after what is below it.",
  },
  {
    selector:
      ":matches(ObjectExpression > SpreadElement, JSXSpreadAttribute) > ObjectExpression, :matches(ArrayExpression, CallExpression, NewExpression) > SpreadElement > ArrayExpression",
    message: "Write the properties or items out: nothing is gained by spreading a literal.",
  },
  {
    selector:
      "JSXOpeningElement[name.name='code']:not(:has(> JSXAttribute[name.name='translate']))",
    message: 'Browsers must not translate data: add translate="no".',
  },
];

/** A field says what the browser may fill into it. */
const fields = {
  selector:
    "JSXOpeningElement[name.name=/^(input|select|textarea)$/]:not(:has(> JSXAttribute[name.name='type'][value.value='hidden']))",
  message: "Use a field of components/forms: it says what the browser may fill into it.",
};

export default tseslint.config(
  {
    ignores: [
      "**/.next/**",
      "dist/**",
      "release/**",
      "node_modules/**",
      "next-env.d.ts",
      "test-results/**",
      "playwright-report/**",
    ],
  },
  ...tseslint.configs.strict,
  {
    plugins: { "import-x": importX, "react-hooks": reactHooks, "@next/next": next },
    settings: { "import-x/resolver-next": [createTypeScriptImportResolver()] },
    rules: {
      ...reactHooks.configs.recommended.rules,
      ...next.configs.recommended.rules,
      ...next.configs["core-web-vitals"].rules,
      "import-x/no-restricted-paths": ["error", { zones }],
      "no-restricted-syntax": ["error", ...syntax],
      "import-x/no-duplicates": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-console": "error",
      eqeqeq: "error",
    },
  },
  {
    files: ["{app,components,lib}/**", "*.ts"],
    ignores: [...connecting, "**/*.test.{ts,tsx}", "**/testing/**", "*.config.ts"],
    rules: {
      "@typescript-eslint/no-restricted-imports": ["error", noConnections],
      // Allowed in the browser alone, whose policy lets it reach nothing but Gancho.
      "no-restricted-globals": [
        "error",
        ...["fetch", "WebSocket", "EventSource"].map((name) => ({
          name,
          message: "Only lib/platform/egress connects to a person's address.",
        })),
      ],
    },
  },
  {
    files: ["{app,components}/**/*.tsx"],
    ignores: ["components/forms/**"],
    rules: { "no-restricted-syntax": ["error", ...syntax, fields] },
  },
  {
    files: ["{app,components}/**/*.tsx"],
    ignores: ["**/*.test.tsx"],
    languageOptions: { parserOptions: { projectService: true } },
    plugins: { gancho: { rules: { "lone-text": loneText, "plain-tags": plainTags } } },
    rules: { "gancho/lone-text": "error", "gancho/plain-tags": "error" },
  },
  {
    files: [
      "lib/platform/http/client/fetch-json.ts",
      "lib/platform/auth/client/auth-client.ts",
      "components/layout/words/browser.ts",
    ],
    rules: { "no-restricted-globals": "off" },
  },
  {
    // A test may import anything.
    files: ["**/*.test.ts", "**/testing/**", "e2e/**"],
    rules: { "import-x/no-restricted-paths": "off" },
  },
  {
    // Programs print to a terminal.
    files: ["lib/{cli,tools}/**", "lib/sandbox/main.ts", "e2e/**"],
    rules: { "no-console": "off" },
  },
);
