import { spawnSync } from "node:child_process";

/** Installs a package of a Debian-like distribution, where we may. Says whether it is there now. */
export function installPackage(name: string): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  console.log(`Installing the distribution's package ${name} …`);
  const apt = (...args: string[]) =>
    spawnSync("apt-get", args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).status === 0;
  return apt("update") && apt("install", "-y", "--no-install-recommends", name);
}
