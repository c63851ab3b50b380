import { startInstallation } from "./installation/start";

/** Starts one installation for the whole run; tests find it by these variables, and make partners of their own in it. */
export default async function setup(): Promise<() => Promise<void>> {
  const installation = await startInstallation();
  Object.assign(process.env, installation.env, {
    E2E_URL: installation.url,
    E2E_SANDBOX_URL: installation.sandboxUrl,
  });
  return installation.stop;
}
