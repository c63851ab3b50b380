import { forPrograms } from "@/lib/platform/database/deadline";
import { migrateToLatest } from "@/lib/platform/database/migrate";
import { openDatabase } from "@/lib/platform/database/open";

/** One instance that starts: brings the database of its argument up to date. */
const db = openDatabase(process.argv[2] ?? "", { limits: forPrograms });
await migrateToLatest(db);
await db.destroy();
