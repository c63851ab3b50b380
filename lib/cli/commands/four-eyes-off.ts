import { env } from "@/lib/env";
import { liftFourEyes } from "@/lib/team/lift-four-eyes";
import { Failure } from "../failure";
import { prepareDatabase } from "../prepare-database";
import { required, type Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- four-eyes-off --partner ID

Switches four-eyes approval off for a partner. In the dashboard that takes two of its admins; this
is for when there are no two any more. Make sure that who asks for it speaks for the partner: from
then on one person alone can change its production addresses. Its history tells that it was done
here. What waits for approval goes on waiting.

  --partner ID  the partner, as its addresses in the dashboard name it`,
  options: { partner: { type: "string" } },
  positionals: 0,
  run: async (given) => {
    const partner = required(given, "partner");
    const db = await prepareDatabase(env());
    const outcome = await liftFourEyes(db, partner).finally(() => db.destroy());
    if (outcome === "no_partner")
      throw new Failure(`there is no partner ${partner}; nothing was changed`);
    if (outcome === "not_on")
      throw new Failure(`four-eyes approval is not on for ${partner}; nothing was changed`);
    console.log(
      `Four-eyes approval is off for ${partner}, and its history says so. What waits for approval goes on waiting.\n` +
        `Once two people can approve again, an admin of ${partner} switches it on under Team.`,
    );
  },
};
