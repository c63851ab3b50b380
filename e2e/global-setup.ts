import { compiledPrograms } from "@/lib/cli/programs.mjs";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { answersFolder, checkPolicies } from "@/e2e/answers/recorded";
import { expectNoSecrets } from "@/e2e/canaries/search-run";
import { startInstallation } from "@/e2e/installation/start";
import { isWithoutProxy } from "@/e2e/installation/without-proxy";

/**
 * Starts one installation for the whole run; tests find it by these variables, and make their partners in it. The end
 * of the run checks that no secret leaked.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (!existsSync(compiledPrograms))
    throw new Error("there is no production build: run npm run build first");
  const installation = await startInstallation();
  Object.assign(process.env, installation.env, {
    E2E_URL: installation.url,
    E2E_SANDBOX_URL: installation.sandboxUrl,
    E2E_FOLDER: installation.folder,
    E2E_METRICS_URL: installation.metricsUrl,
  });
  return async () => {
    // While the dashboard runs, so that the search includes its database's journal.
    try {
      const metrics = await fetch(installation.metricsUrl);
      writeFileSync(path.join(installation.folder, "metrics.txt"), await metrics.text());
      await expectNoSecrets(installation.folder);
      if (isWithoutProxy()) return;
      const pages = await checkPolicies(path.join(installation.folder, answersFolder));
      console.log(`No nonce twice in ${pages} pages.`);
    } finally {
      await installation.stop();
    }
  };
}
