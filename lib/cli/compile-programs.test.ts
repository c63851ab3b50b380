import { mkdtempSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { compilePrograms } from "./compile-programs";
import { root } from "./root";

it("compiles programs that a user other than their builder can run", async () => {
  const folder = mkdtempSync(path.join(root, ".programs-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const target = path.join(folder, "dist");
  await compilePrograms(target);
  expect(statSync(target).mode & 0o777).toBe(0o777 & ~process.umask());
});
