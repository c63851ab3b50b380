import { env } from "@/lib/platform/env/env";
import { requiredLineField } from "@/lib/platform/http/model/request-fields";
import { liftFourEyes } from "@/lib/team/server/four-eyes/switch-four-eyes";
import { maxReasonLength } from "@/lib/webhooks/model/rules/save-request";
import { CliError } from "@/lib/cli/failure";
import { withDatabase } from "@/lib/cli/prepare-database";
import { UsageError, required, type Command } from "./command";

export const command: Command = {
  help: `Usage: gancho four-eyes-off --partner ID --reason TEXT

Switches four-eyes approval off for a partner. In the dashboard that takes two of its admins. This
command is for a partner in which no two admins can do that, and refuses while two could. Make sure
that the person who requests it speaks for the partner: from then on one person alone can change its
production addresses and credentials. Its history and its Team page state that it was done here and
why, and where mail is set up, everyone at the partner gets a mail. Changes that wait for approval
keep waiting.

  --partner ID    the partner's id, as in its URLs in the dashboard
  --reason TEXT   why, and who requested it; the partner reads it, at most ${maxReasonLength} characters`,
  options: { partner: { type: "string" }, reason: { type: "string" } },
  positionals: 0,
  run: async (given) => {
    const partner = required(given, "partner");
    const reason = requiredLineField(maxReasonLength).safeParse(required(given, "reason"));
    if (!reason.success)
      throw new UsageError(`--reason is not one line of at most ${maxReasonLength} characters`);
    const { data } = reason;
    await withDatabase(env(), async (db) =>
      printLifted(partner, await liftFourEyes(db, partner, data)),
    );
  },
};

/** Throws `CliError` where nothing was changed. */
function printLifted(partner: string, lifted: Awaited<ReturnType<typeof liftFourEyes>>): void {
  const { outcome } = lifted;
  if (outcome === "two_admins")
    throw new CliError(
      `two admins of ${partner} can switch it off themselves, under Team: ${lifted.names.join(", ")}; nothing was changed.\n` +
        `If one of them has left, have them removed there first`,
    );
  if (outcome === "required")
    throw new CliError(
      `REQUIRE_FOUR_EYES requires four-eyes approval of all partners; nothing was changed.\n` +
        "import-partners can invite a second admin to a partner in which nobody can approve",
    );
  if (outcome === "no_partner")
    throw new CliError(`there is no partner ${partner}; nothing was changed`);
  if (outcome === "not_on")
    throw new CliError(`four-eyes approval is not on for ${partner}; nothing was changed`);
  console.log(
    `Four-eyes approval is off for ${partner}, and its history and Team page say so and why. What waits for approval goes on waiting.\n` +
      "While it has two admins, either can switch it on again under Team.",
  );
}
