import { forPrograms } from "../deadline";
import { migrateToLatest } from "../migrate";
import { openDatabase } from "../open";

/** One copy that starts: brings the database of its argument up to date. */
const db = openDatabase(process.argv[2] ?? "", { limits: forPrograms });
await migrateToLatest(db);
await db.destroy();
