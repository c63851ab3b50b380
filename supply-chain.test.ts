import { readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL(".", import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, "utf8");

type Entry = {
  version?: string;
  integrity?: string;
  link?: boolean;
  resolved?: string;
  hasInstallScript?: boolean;
};
const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Entry> };
const { allowScripts } = JSON.parse(read("package.json")) as {
  allowScripts: Record<string, boolean>;
};
const installed = Object.entries(packages).filter(([path, { link }]) => path !== "" && !link);
const nameOf = (path: string) => path.replace(/^.*node_modules\//, "");

/**
 * Builds for other platforms that the registry at hand does not serve, so that nobody here knows their digest
 * (CONTRIBUTING.md). None of them is installed where these tests run; what installs one takes it on the registry's word.
 */
const withoutIntegrity: readonly RegExp[] = [
  /^@next\/swc-(darwin|win32)-/,
  /^@oxc-parser\/binding-(android|darwin|freebsd|linux-(arm|ppc64|riscv64|s390x)|openharmony|win32)-/,
  /^@swc\/core-(darwin|linux-(arm-|ppc64|s390x)|win32)/,
  /^@tailwindcss\/oxide-(android|darwin|freebsd|linux-arm-|wasm32|win32)/,
  /^@unrs\/resolver-binding-(android|darwin|freebsd|linux-(arm-|loong64|ppc64|riscv64|s390x)|openharmony|win32)/,
];

it("has the digest of every package, except the named builds for other platforms (threat: another file under the same version)", () => {
  const missing = installed
    .filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ""))
    .map(([path]) => nameOf(path));
  expect(missing.filter((name) => !withoutIntegrity.some((named) => named.test(name)))).toEqual([]);
  expect(missing.length).toBeLessThanOrEqual(52);
});

it("takes packages from the registry and from nowhere else (threat: a lock entry that leads to another host)", () => {
  const elsewhere = installed.filter(
    ([, { resolved }]) =>
      resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/"),
  );
  expect(elsewhere).toEqual([]);
});

it("runs no code of a package when it is installed (threat: a package that was taken over)", () => {
  expect(read(".npmrc").split("\n")).toContain("ignore-scripts=true");
  // The second defence, for an installation without the file: none is allowed, and none is new without being named.
  const withScripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(Object.values(allowScripts)).not.toContain(true);
  expect(withScripts.map(([path]) => nameOf(path)).sort()).toEqual(
    Object.keys(allowScripts).sort(),
  );
});

/** As Git and Docker read their lists: the last rule that matches a path or a folder of it decides. */
function isLeftOut(path: string, list: ".gitignore" | ".dockerignore"): boolean {
  const parts = path.split("/");
  const folders = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  let isOut = false;
  for (const rule of read(list).split("\n")) {
    const glob = rule.replace(/^!/, "").replace(/\/$/, "");
    if (glob === "" || glob.startsWith("#")) continue;
    const anywhere = list === ".gitignore" && !glob.includes("/") ? `**/${glob}` : glob;
    if (folders.some((each) => matchesGlob(each, anywhere))) isOut = !rule.startsWith("!");
  }
  return isOut;
}

it.each([".env", ".env.local", "deploy/.env", "deploy/gancho.env", ".data/gancho.db"])(
  "leaves %s, which an operator made, out of the repository and of the image (threat: secrets in what is handed on)",
  (path) => {
    expect(isLeftOut(path, ".gitignore")).toBe(true);
    expect(isLeftOut(path, ".dockerignore")).toBe(true);
  },
);

it("builds from the example of the variables and from the code", () => {
  for (const path of [".env.example", "package.json", "lib/platform/env/env.ts"])
    for (const list of [".gitignore", ".dockerignore"] as const)
      expect(isLeftOut(path, list), `${path} in ${list}`).toBe(false);
});
