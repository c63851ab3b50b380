import { startOpenIdProvider } from "@/lib/platform/auth/testing/openid-provider";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { canary, canaryKey } from "@/e2e/canaries/canary";
import { learn } from "@/e2e/canaries/learned";
import { startAlertReceiver } from "@/lib/alerts/testing/alert-receiver";
import { clientAt, clientCount } from "./clients";
import { startDashboard } from "./dashboard";
import { freePort } from "./free-port";
import { startProgram } from "./program";
import { copyWithoutProxy, isWithoutProxy } from "./without-proxy";

/**
 * A whole installation for a test run: the production build of the dashboard, a sandbox behind both environments, and a
 * provider of single sign-on. Tests about faults have a separate dashboard (fixtures/faulty-dashboard.ts), so that a
 * fault does not reach the tests beside them.
 */
export async function startInstallation() {
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-e2e-"));
  const logs = path.join(folder, "logs");
  mkdirSync(logs);
  const clientFile = path.join(folder, "clients.json");
  writeFileSync(
    clientFile,
    JSON.stringify(Array.from({ length: 2 * clientCount }, (_, i) => clientAt(i))),
  );
  const sandboxPort = String(await freePort());
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const sandbox = await startProgram({
    command: [process.execPath, "dist/sandbox.mjs"],
    env: {
      SANDBOX_PORT: sandboxPort,
      SANDBOX_CLIENTS: clientFile,
      SANDBOX_DATABASE_URL: `file:${folder}/sandbox.db`,
    },
    ready: /ready/i,
    logFile: path.join(logs, "sandbox.log"),
  });
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const provider = await startOpenIdProvider(`${url}/api/auth/callback/oidc`);
  learn("secret of single sign-on", provider.clientSecret, folder);
  const alertsSecret = `whsec_${canaryKey("alerts-secret")}`;
  const alerts = await startAlertReceiver(alertsSecret, path.join(folder, "alerts.jsonl"));
  const metricsPort = String(await freePort());
  const env = {
    PORT: port,
    GANCHO_URL: url,
    GANCHO_DATA_DIR: folder,
    DATABASE_URL: `file:${folder}/gancho.db`,
    AUTH_SECRET: canary("auth-secret", randomBytes(32).toString("base64")),
    ENCRYPTION_KEYS: `e2e:${canaryKey()}`,
    PARTNER_API_ENVIRONMENTS: `sandbox=${sandboxUrl},production=${sandboxUrl}`,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: "Example ID",
    OIDC_STAFF_CLAIM: "groups=gancho-support,gancho-operators",
    ALERTS_URL: alerts.url,
    ALERTS_SECRET: alertsSecret,
    CAPTURE: "https://in.gancho.example",
    SECURITY_CONTACT: "mailto:security@gancho.example",
    LOG_LEVEL: "info",
  };
  const dashboard = await startDashboard({
    ...(isWithoutProxy() && { folder: copyWithoutProxy() }),
    // Not for the programs of tests, which find the rest in their environment.
    env: { ...env, METRICS_PORT: metricsPort },
    run: folder,
    logFile: path.join(logs, "dashboard.log"),
  });
  return {
    url,
    sandboxUrl,
    /** Holds the data and the logs of all its programs. */
    folder,
    env,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    stop: async () => {
      await dashboard.stop();
      await sandbox.stop();
      await provider.stop();
      await alerts.close();
    },
  };
}
