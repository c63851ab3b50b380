import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { requireDataFolder } from "./data-folder";

const fresh = (name: string) => path.join(newFolder(), name);

it("creates the folder where it is missing, and accepts an existing one", () => {
  const folder = fresh("data");
  requireDataFolder(folder);
  requireDataFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

it.each(["", "below"])("says in one line that nothing can be kept in a file/%s", (below) => {
  const file = fresh("file");
  writeFileSync(file, "");
  const folder = path.join(file, below);
  expect(() => requireDataFolder(folder)).toThrow(
    `nothing can be kept in ${folder} (ENOTDIR): set GANCHO_DATA_DIR to a folder that can be written`,
  );
});
