import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";

/** A folder for this test alone, removed when it ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(inject("folder"), "sandbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
