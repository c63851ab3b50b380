import next from "@next/eslint-plugin-next";
import { createTypeScriptImportResolver } from "eslint-import-resolver-typescript";
import importX from "eslint-plugin-import-x";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** Imports run one way: each zone lists what the folder must not know of. See docs/decisions. */
const zones = [
  { target: "./lib", from: ["./app", "./components", "./e2e"] },
  { target: "./components", from: ["./app", "./e2e"] },
  { target: "./app", from: "./e2e" },
  // Leaves know one another and the Secret type, which knows nobody.
  ...["./lib/*.ts", "./lib/env"].map((target) => ({
    target,
    from: [
      "./lib/{access,account,approvals,auth,cli,connection,db,history,http,i18n,installation,limits,mail,partner-api,partners,sandbox,staff,support,team,webhooks}/**",
      "./lib/secrets/!(secret).ts",
    ],
  })),
  { target: "./lib/i18n", from: "./lib/!(i18n)/**" },
  // Foundations know only the leaves; secrets also the table its keys are in.
  { target: "./lib/db", from: "./lib/!(db)/**" },
  { target: "./lib/secrets", from: ["./lib/!(secrets|db)/**", "./lib/db/!(open|schema).ts"] },
  { target: "./lib/limits", from: "./lib/!(limits|db|env)/**" },
  // Writes to people in their languages; knows who they are from whoever asks it to.
  { target: "./lib/mail", from: "./lib/!(mail|db|env|i18n|secrets)/**" },
  // The wire knows HTTP and no user.
  { target: "./lib/partner-api", from: "./lib/!(partner-api|db|secrets)/**" },
  // Who is asking, and what they may do.
  // What happens there is recorded there: it knows how to write an entry, and nothing of reading them.
  {
    target: "./lib/auth",
    from: ["./lib/!(auth|db|mail|secrets|history|limits)/**", "./lib/history/!(record-person).ts"],
  },
  { target: "./lib/access", from: "./lib/!(access|auth|db|secrets)/**" },
  // The product's own subjects; only webhooks, and connection above it, know their neighbours.
  { target: "./lib/http", from: "./lib/!(http|access|auth|db|limits|secrets)/**" },
  {
    target: "./lib/partners",
    from: "./lib/!(partners|history|access|auth|partner-api|db|secrets)/**",
  },
  {
    target: "./lib/history",
    from: [
      "./lib/!(history|access|auth|db|secrets|partner-api)/**",
      "./lib/partner-api/!(contract)*",
    ],
  },
  {
    target: "./lib/webhooks",
    from: [
      "./lib/{approvals,cli,connection,installation,sandbox,staff,support,team}/**",
      "./lib/http/**",
    ],
  },
  // Looking after the way to the service knows what goes over it; not the other way round.
  {
    target: "./lib/connection",
    from: [
      "./lib/{approvals,cli,sandbox}/**",
      "./lib/http/**",
      // A mail to the partner's admins is sent as every mail is.
      "./lib/team/!(admin-mail).ts",
    ],
  },
  // Deciding about what waits, whatever it is: above both.
  {
    target: "./lib/approvals",
    from: ["./lib/{cli,installation,sandbox,staff,support,team}/**", "./lib/http/**"],
  },
  {
    target: "./lib/team",
    from: "./lib/!(team|history|access|auth|db|mail|secrets|i18n|env)/**",
  },
  // What staff do: support looks through webhooks' eyes, operators see the installation from above.
  {
    target: "./lib/support",
    from: ["./lib/{cli,connection,installation,sandbox,staff,team}/**", "./lib/http/**"],
  },
  { target: "./lib/account", from: "./lib/!(account|history|access|auth|db|mail|secrets)/**" },
  { target: "./lib/staff", from: "./lib/!(staff|history|access|auth|db|mail|secrets)/**" },
  {
    target: "./lib/installation",
    from: "./lib/!(installation|partners|access|auth|db|secrets)/**",
  },
  // The sandbox must not agree with our client by sharing its mistakes.
  {
    target: "./lib/sandbox",
    from: ["./lib/!(sandbox|partner-api)/**", "./lib/partner-api/!(contract)*"],
  },
  // A page's code is an address, not a place to put rules: the browser's parts never reach the server's.
  {
    target: "./components",
    from: [
      "./lib/{db,secrets,auth,access,http,limits,mail,partner-api,sandbox,cli}/**",
      // What an entry is, and how it is asked for, both sides know; the rest is the server's.
      "./lib/history/!(entry).ts",
    ],
  },
].map((zone) => ({ ...zone, message: "Imports run one way; see docs/decisions." }));

export default tseslint.config(
  {
    ignores: [
      ".next/**",
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
      "import-x/no-cycle": "error",
      "import-x/no-duplicates": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-console": "error",
      eqeqeq: "error",
    },
  },
  {
    // A test may put any parts together.
    files: ["**/*.test.ts", "**/testing/**", "e2e/**"],
    rules: { "import-x/no-restricted-paths": "off" },
  },
  {
    // Programs speak to a terminal.
    files: ["lib/cli/**", "lib/sandbox/main.ts", "e2e/**"],
    rules: { "no-console": "off" },
  },
);
