import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Each test file has a data folder of its own: what one notes outside its database is nothing of another's. */
process.env["GANCHO_DATA_DIR"] = mkdtempSync(path.join(tmpdir(), "gancho-test-data-"));
