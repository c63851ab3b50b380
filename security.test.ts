import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL(".", import.meta.url));
const text = readFileSync(`${root}SECURITY.md`, "utf8");

/** The cells of each claim: requirement, level, claim, what shows it. */
const claims = [...text.matchAll(/^\| (\d+\.\d+\.\d+) +\| (\d) +\| (.*?) +\| (.*?) +\|$/gm)];

it("SECURITY.md points to an existing file for each requirement that it claims", () => {
  expect(claims.length).toBeGreaterThan(50);
  for (const [, requirement, , , shown = ""] of claims) {
    const paths = [...shown.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? "");
    expect(paths, `${requirement} is shown by something`).not.toEqual([]);
    for (const file of paths) expect(existsSync(root + file), `${requirement}: ${file}`).toBe(true);
  }
});

it("SECURITY.md claims no requirement that it lists as not claimed", () => {
  const all = [...text.matchAll(/^\| (\d+\.\d+\.\d+) /gm)].map(([, requirement]) => requirement);
  expect(all.length).toBe(new Set(all).size);
});
