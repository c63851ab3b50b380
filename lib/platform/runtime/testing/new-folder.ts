import { mkdtempSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";

/** An empty folder, which is removed when the run of the tests ends. */
export const newFolder = () => mkdtempSync(path.join(inject("folder"), "folder-"));
