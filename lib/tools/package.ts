import { buildState } from "@/lib/cli/build-stamp";
import { ended, startChild } from "@/lib/cli/child";
import { Failure, runProgram } from "@/lib/cli/failure";
import { root } from "@/lib/cli/root";
import { copyContents, packageFolders } from "@/lib/tools/package/contents";
import { billOfMaterials, notices } from "@/lib/tools/package/packages";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

const help = `Usage: npm run package

Makes the archive of this release for Linux in the folder release, with its SHA-256. Builds first where
the sources have changed since the last build.`;

/**
 * `npm run package`: the production build as one archive in `release`, which needs Node and nothing else. Builds first
 * where the build is not of the present sources. docs/decisions/archive.md says what is in it and why.
 */
await runProgram("Gancho cannot be packaged", async () => {
  const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" } } });
  if (values.help) {
    console.log(help);
    return;
  }
  if (process.platform !== "linux") throw new Failure("the archive is for Linux: package it there");
  if (buildState() !== "current") await build();
  const { version, engines } = JSON.parse(
    readFileSync(path.join(root, "package.json"), "utf8"),
  ) as Record<string, string>;
  const name = `gancho-${version}-linux-${process.arch}`;
  const release = path.join(root, "release");
  const folder = path.join(release, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  const packages = packageFolders();
  copyContents(folder);
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text);
  write("package.json", json(packageOfRelease(version, engines)));
  copyFileSync(path.join(root, "deploy/gancho"), path.join(folder, "gancho"));
  write("sbom.cdx.json", json(billOfMaterials(packages)));
  write("THIRD-PARTY-NOTICES.txt", notices(packages));

  const archive = `${name}.tar.gz`;
  // The same files give the same archive, whoever makes it and when.
  const same = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"];
  const gzip = ["--use-compress-program", "gzip -9n"];
  execFileSync("tar", [...same, "--mode=u=rwX,go=rX", ...gzip, "-cf", archive, name], {
    cwd: release,
    stdio: "inherit",
  });
  const bytes = readFileSync(path.join(release, archive));
  const digest = createHash("sha256").update(bytes).digest("hex");
  writeFileSync(path.join(release, `${archive}.sha256`), `${digest}  ${archive}\n`);
  console.log(
    `release/${archive}: ${megabytes(bytes.length)}, unpacked ${megabytes(sizeOf(folder))}; ` +
      `parts of ${packages.length} packages\nsha256 ${digest}`,
  );
});

async function build(): Promise<void> {
  const file = path.join(root, "lib/cli/run.mjs");
  const end = await ended(startChild({ file, args: ["build"] }));
  if (end !== 0) throw new Failure("the build failed");
}

/** The commands are those of a checkout; without npm, run the files in `dist`. */
function packageOfRelease(version?: string, engines?: string) {
  return {
    name: "gancho",
    version,
    private: true,
    license: "Apache-2.0",
    type: "module",
    engines,
    scripts: {
      start: "exec ./gancho start",
      gancho: "exec ./gancho",
      "verify-history": "exec ./gancho verify-history",
      sandbox: "exec ./gancho sandbox",
    },
  };
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
