import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A separate data folder for each test file: what one records outside its database does not reach another. */
process.env["GANCHO_DATA_DIR"] = mkdtempSync(path.join(tmpdir(), "gancho-test-data-"));
