import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));
const globalSetup = "lib/platform/database/testing/global-setup.ts";

export default defineConfig({
  resolve: {
    alias: [
      // Outside Next there is no client bundle to protect; the marker module would throw.
      { find: /^server-only$/, replacement: `${root}node_modules/server-only/empty.js` },
      {
        find: "@/lib/platform/auth/passwords/hash-cost",
        replacement: `${root}lib/platform/auth/passwords/testing/hash-cost.ts`,
      },
      {
        find: "@/lib/platform/runtime/timings",
        replacement: `${root}lib/platform/runtime/testing/timings.ts`,
      },
      { find: /^@\//, replacement: root },
    ],
  },
  test: {
    environment: "node",
    // Long, because a slow machine is no fault of the product.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A second, which is usual, is not enough where all cores are busy.
    expect: { poll: { timeout: 20_000 } },
    // Tests wait, those of faults most of all: more workers than cores. Five took 336 seconds on two cores, three 389.
    maxWorkers: 5,
    setupFiles: "lib/platform/database/testing/test-file-setup.ts",
    // The setup file gives each test file what a process of its own would.
    isolate: false,
    // Packages of many modules are quicker to load as one.
    deps: {
      optimizer: {
        ssr: {
          enabled: true,
          include: [
            "@simplewebauthn/server",
            "ajv/dist/2020.js",
            "jose",
            "kysely",
            "prom-client",
            "undici",
            "zod",
            "zod/mini",
          ],
        },
      },
    },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{lib,components,app,e2e}/**/*.test.{ts,tsx}", "*.test.ts"],
          env: { LOG_LEVEL: "silent" },
          globalSetup,
        },
      },
      {
        // Every statement, and whatever takes turns by the database's locks, is run again on the other engine.
        extends: true,
        test: {
          name: "postgres",
          include: [
            "lib/{alerts,attention,history,retention,partners,webhooks,watch,connection,endpoint-check,team,support,staff,account}/**/*.test.ts",
            "lib/platform/{database,limits,access,auth,secrets}/**/*.test.ts",
            "app/{statements,api/health/**/*}.test.ts",
            "lib/cli/{prepare-database,demo/fill,commands/{after-restore,export-history,grants,import-partners,rotate-keys},check-config/check-config}.test.ts",
          ],
          exclude: [
            // These use no database.
            "lib/**/{model,client}/**",
            "lib/history/server/{export/csv-lines,record/chain,verify/anchor-file}.test.ts",
            "lib/partners/server/list/search-words.test.ts",
            "lib/platform/access/on-page.test.ts",
            "lib/platform/auth/codes/totp.test.ts",
            "lib/platform/auth/oidc/claims.test.ts",
            "lib/platform/auth/passwords/{hashing-slots,password-hash,password-rules}.test.ts",
            "lib/platform/auth/sign-in/known-device.test.ts",
            "lib/platform/secrets/envelope.test.ts",
            "lib/support/server/destination.test.ts",
            "lib/team/server/invitations/invitation-mail.test.ts",
            "lib/webhooks/server/observe/{look,retype}.test.ts",
            "lib/webhooks/server/save/plan.test.ts",
            "lib/platform/database/sqlite.test.ts",
            // Others run the same statements: these are about the service's answers, and what follows from them.
            "lib/alerts/server/alerted.test.ts",
            "lib/endpoint-check/server/where-values-go.test.ts",
            "lib/history/server/export/export.test.ts",
            "lib/platform/auth/history-of-people.test.ts",
            "lib/platform/auth/oidc/{attempt,handle,provider-outage,through-proxy}.test.ts",
            "lib/platform/auth/person-names.test.ts",
            "lib/platform/auth/sign-in/{sign-in,sign-in-throttle}.test.ts",
            "lib/webhooks/server/save/{fingerprints,proof,slow-database}.test.ts",
          ],
          env: { LOG_LEVEL: "silent", TEST_ENGINE: "postgres" },
          globalSetup,
        },
      },
    ],
  },
});
