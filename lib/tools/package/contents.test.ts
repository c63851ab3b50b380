import { root } from "@/lib/cli/root";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { copyPapers } from "./contents";

/** Where docs/operate.md has an operator write secrets, and copies that an editor leaves beside them. */
const planted = [
  ".env",
  ".env.local",
  "deploy/.env",
  "deploy/.env.production",
  "deploy/gancho.env",
  "deploy/gancho.env~",
  "deploy/secrets/auth",
];

function temporaryFolder(): string {
  return mkdtempSync(path.join(tmpdir(), "gancho-test-"));
}

/** A checkout without its packages, as after `npm run build`. */
function checkout(): string {
  const folder = temporaryFolder();
  execFileSync("git", ["checkout-index", "--all", `--prefix=${folder}/`], { cwd: root });
  for (const file of [...planted, "dist/start.mjs"]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), `SECRET=planted in ${file}\n`);
  }
  return folder;
}

it("says what npm run package does, and builds nothing, where that is asked", () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--import", "tsx", "lib/tools/package.ts", "--help"],
    { cwd: root, encoding: "utf8", timeout: 30_000 },
  );
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^Usage: npm run package\n/) as string,
  });
});

describe("a secret that an operator wrote beside the sources (threat: it travels with what is built)", () => {
  it("is in no release", () => {
    const release = temporaryFolder();
    copyPapers(checkout(), release);
    const files = readdirSync(release, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(20);
    const withSecret = files.filter((file) => readFileSync(file).includes("SECRET=planted"));
    expect(withSecret.map((file) => path.relative(release, file))).toEqual(["dist/start.mjs"]);
  });

  /** The files that the patterns of `ignoreFile` leave in, according to git. */
  function leftIn(ignoreFile: string, pattern: (line: string) => string): string[] {
    const folder = temporaryFolder();
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    const lines = readFileSync(path.join(root, ignoreFile), "utf8").split("\n");
    writeFileSync(path.join(folder, ".gitignore"), lines.map(pattern).join("\n"));
    const { stdout } = spawnSync("git", ["check-ignore", "--stdin"], {
      cwd: folder,
      input: [...planted, ".env.example"].join("\n"),
      encoding: "utf8",
    });
    const ignored = new Set(stdout.split("\n"));
    return [...planted, ".env.example"].filter((file) => !ignored.has(file));
  }

  // Under a name that nobody can foresee; a release has none of it.
  const unforeseen = "deploy/secrets/auth";

  it("is not committed", () => {
    expect(leftIn(".gitignore", (line) => line)).toEqual([unforeseen, ".env.example"]);
  });

  it("is in no layer from which an image is built", () => {
    // Docker's patterns begin at the folder of the build.
    const anchored = (line: string) => line.replace(/^(!?)(?=[^#!\s])/, "$1/");
    expect(leftIn(".dockerignore", anchored)).toEqual([unforeseen, ".env.example"]);
  });
});
