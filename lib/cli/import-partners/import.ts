import type { Credentials } from "@/lib/connection/server/credentials";
import type { Trial } from "@/lib/connection/server/set-by-operator";
import { isLeaseLost, takeLease, type Lease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { mailLocales } from "@/lib/platform/i18n/model/locale";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { invitationLink } from "@/lib/team/server/invitations/create-invitation";
import { sendInvitation } from "@/lib/team/server/invitations/invitation-mail";
import { CliError } from "@/lib/cli/failure";
import { applyLine, type ToMail } from "./apply";
import { tryCredentials } from "./check";
import type { LineFault, PartnerLine } from "./lines";
import { planLine, stepInWords, type Plan, type Terms } from "./plan";

/** What happened to one line, or would. */
type Told = (line: PartnerLine, words: readonly string[]) => void;

export type Counts = {
  /** Partners that are new, that changed otherwise, and that were right already. */
  created: number;
  changed: number;
  same: number;
  connections: number;
  invitations: number;
  mailed: number;
  notMailed: number;
};

const nothing = { created: 0, changed: 0, same: 0, connections: 0 };
const nobody = { invitations: 0, mailed: 0, notMailed: 0 };

type Planned = { line: PartnerLine; plan: Plan };

/**
 * What all lines would do, and why some would be left out; changes nothing. `check`: also tries what they would set up or
 * replace.
 */
export async function planAll(
  lines: readonly PartnerLine[],
  terms: Terms,
  { check, tell }: { check: boolean; tell: Told },
): Promise<{ counts: Counts; faults: LineFault[]; tried: Terms["tried"]; plans: Planned[] }> {
  const counts = { ...nothing, ...nobody };
  const faults: LineFault[] = [];
  const tried = new Map<Credentials, Trial>();
  const plans: Planned[] = [];
  for (const line of lines) {
    const plan = await planLine(db(), line, terms);
    const found = [...plan.faults];
    for (const step of check ? plan.steps : []) {
      const credentials = step.do === "connect" && line.connections.get(step.environment);
      if (!credentials) continue;
      const { environment } = step;
      const baseUrl = terms.environments.get(environment) ?? "";
      const result = await tryCredentials(credentials, { environment, baseUrl });
      if ("fault" in result) found.push(result.fault);
      else tried.set(credentials, result);
    }
    plans.push({ line, plan: { ...plan, faults: found } });
    faults.push(...found.map((what) => ({ line: line.line, what })));
    if (found.length > 0) continue;
    count(counts, plan);
    tellPlan(line, plan, tell);
  }
  return { counts, faults, tried, plans };
}

function tellPlan(line: PartnerLine, { steps, notes }: Plan, tell: Told, more: string[] = []) {
  const words = [...steps.map((step) => stepInWords(step, line)), ...notes, ...more];
  if (words.length > 0) tell(line, words);
}

function count(counts: Counts, { steps }: Plan): void {
  if (steps.some((step) => step.do === "create")) counts.created += 1;
  else if (steps.some((step) => step.do !== "mail")) counts.changed += 1;
  else counts.same += 1;
  counts.connections += steps.filter((step) => step.do === "connect").length;
  counts.invitations += steps.filter((step) => step.do === "invite").length;
}

/** Longer than the database may be away; a killed import delays the next one for so long. */
const leaseMs = 10_000;
const longestImportMs = 24 * 60 * 60_000;

/** One import at a time: two could mail one person two links, of which one works. `waiting`: called if it must wait. */
async function takeTurn(waiting: () => void): Promise<Lease> {
  const terms = { leaseMs, renewForMs: longestImportMs };
  const lease = await takeLease("import-partners", { ...terms, waitMs: 0 });
  if (lease) return lease;
  waiting();
  const later = await takeLease("import-partners", { ...terms, waitMs: longestImportMs });
  if (!later) throw new CliError("another import has been running for a day; nothing was changed");
  return later;
}

/** Invitations on their way at once. */
const mailLanes = 4;

/**
 * Brings each line's partner to what it says, one after the other: a partner is imported as a whole or not at all, and
 * what a stopped import has done stays. Faults are of partners that were left as they are.
 */
export async function importAll(
  plans: readonly Planned[],
  terms: Terms,
  { tell, waiting }: { tell: Told; waiting: () => void },
): Promise<{ counts: Counts; faults: LineFault[] }> {
  const counts = { ...nothing, ...nobody };
  const faults: LineFault[] = [];
  const lease = await takeTurn(waiting);
  const underWay = new Set<Promise<void>>();
  try {
    for (const { line, plan } of plans) {
      const applied = await applyLine(line, plan, terms, lease);
      faults.push(...applied.faults.map((what) => ({ line: line.line, what })));
      if (applied.faults.length > 0) continue;
      count(counts, applied);
      if (!terms.mails) counts.notMailed += applied.toMail.length;
      tellPlan(line, applied, tell);
      for (const invitation of terms.mails ? applied.toMail : []) {
        if (underWay.size >= mailLanes) await Promise.race(underWay);
        const mailing = mail(line, invitation)
          // The next line meets the same.
          .catch(() => false)
          .then((isSent) => {
            underWay.delete(mailing);
            counts[isSent ? "mailed" : "notMailed"] += 1;
            if (!isSent) tell(line, [`the mail to ${invitation.row.email} failed`]);
          });
        underWay.add(mailing);
      }
    }
  } catch (error) {
    if (!isLeaseLost(error)) throw error;
    throw new CliError("this program was paused for too long: import the file again");
  } finally {
    await Promise.all(underWay);
    await lease.release();
  }
  return { counts, faults };
}

async function mail({ name }: PartnerLine, { row, token }: ToMail): Promise<boolean> {
  const link = invitationLink(token);
  const locales = mailLocales(null, env().defaultLocale);
  const sent = await sendInvitation({ row, link, partner: name, invitedBy: null, locales });
  if (sent !== "sent") return false;
  await db()
    .updateTable("invitations")
    .set({ mailed_at: databaseTime() })
    .where("id", "=", row.id)
    .execute();
  return true;
}

/** Of this installation, as the command's options say. */
export function termsOf(given: { reason: string | null; resend: boolean; mail: boolean }): Terms {
  const { environments, mail } = env();
  const { reason, resend } = given;
  return { environments, reason, resend, mails: given.mail && mail !== null, tried: new Map() };
}
