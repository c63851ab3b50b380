import { findNoSecrets } from "./canaries/search-run";
import { findNoRepeatedNonce } from "./fixtures/watch";
import { startInstallation } from "./installation/start";

/**
 * Starts one installation for the whole run; tests find it by these variables, and make partners of their own in it.
 * At the end it is looked whether anything got out that must not.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const installation = await startInstallation();
  Object.assign(process.env, installation.env, {
    E2E_URL: installation.url,
    E2E_SANDBOX_URL: installation.sandboxUrl,
    E2E_FOLDER: installation.folder,
  });
  return async () => {
    // While the dashboard runs, so that what is still in its database's journal is looked at too.
    try {
      findNoSecrets(installation.folder);
      findNoRepeatedNonce(installation.folder);
    } finally {
      await installation.stop();
    }
  };
}
