import { commands } from "@/lib/cli/commands/all";

/** Loads each command of `npm run gancho`, and says when all of them are there. */
for (const { load } of Object.values(commands)) await load();
process.stderr.write("loaded");
