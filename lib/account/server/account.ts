import "server-only";
import { codesSetUpAt } from "@/lib/platform/auth/second-factors";
import { mustEnrolFirst, type SignedIn, type Viewer } from "@/lib/platform/access/viewer";
import { relyingParty } from "@/lib/platform/auth/passkeys/webauthn";
import { recoveryCodesLeft } from "@/lib/platform/auth/codes/recovery-codes";
import {
  openSessionsOf,
  type OpenSession,
  requireLive,
  endOneOtherSessionOf,
  endSessionsOf,
} from "@/lib/platform/auth/sessions/sessions";
import { stepUpWays } from "@/lib/platform/auth/step-up";
import { adminsOf } from "@/lib/platform/auth/right-to-invite";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { readAlertSettings } from "@/lib/alerts/server/settings";
import { readOwnActivity } from "@/lib/history/server/read/activity";
import { parseUserAgent } from "@/lib/platform/http/model/parse-user-agent";
import type {
  Account,
  AccountPartner,
  AccountSession,
  EndedSessions,
  PasswordChange,
  EndSessions,
} from "@/lib/account/model/account";
import { readPasskeys } from "./passkeys";
import { requirePassword, type AccountContext } from "./step-up";
import type { OwnAccount } from "@/lib/platform/access/require";
import { hashInSession, requireHash } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { hashPassword } from "@/lib/platform/auth/passwords/password-hash";
import { passwordFault } from "@/lib/platform/auth/passwords/password-rules";
import { endPasswordLinksOf } from "@/lib/platform/auth/passwords/password-link";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { recordPerson } from "@/lib/history/server/record/record";
import { log } from "@/lib/platform/log/log";
import { ProblemError, fieldRefused } from "@/lib/platform/http/model/problem";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { databaseTime } from "@/lib/platform/runtime/database-time";

/** The person's own account. */
export async function readAccount(person: SignedIn): Promise<Account> {
  const { viewer, session, codesMissing, passkeyMissing } = person;
  const mustEnrol = mustEnrolFirst(person);
  return {
    id: viewer.id,
    name: viewer.name,
    email: viewer.email,
    password: await readPassword(viewer.id),
    codes: await readCodes(viewer.id),
    codesMissing,
    passkeys: await readPasskeys(viewer.id),
    passkeysWork: relyingParty() !== null,
    passkeyMissing,
    partners: mustEnrol ? [] : await readPartners(viewer),
    sessions: mustEnrol ? [] : await readSessions(viewer.id, session.idHash),
    activity: mustEnrol ? [] : await readOwnActivity(person),
    alerts: mustEnrol ? null : await readAlertSettings(person),
  };
}

async function readPartners({ id: userId, memberships }: Viewer): Promise<AccountPartner[]> {
  const partners: AccountPartner[] = [];
  for (const { partnerId: id, partnerName: name, role } of memberships) {
    const others = role === "admin" ? await adminsOf(db(), id) : [];
    const onlyAdmin = role === "admin" && others.every((admin) => admin === userId);
    partners.push({ id, name, role, onlyAdmin });
  }
  return partners;
}

async function readSessions(userId: string, idHash: string): Promise<AccountSession[]> {
  const sessions = (await openSessionsOf(db(), userId)).map((open) => present(open, idHash));
  return [...sessions.filter(({ here }) => here), ...sessions.filter(({ here }) => !here)];
}

async function readPassword(userId: string): Promise<Account["password"]> {
  if (env().oidc?.isOnlyWay) return "off";
  return (await stepUpWays(db(), userId)).password ? "set" : "none";
}

async function readCodes(userId: string): Promise<Account["codes"]> {
  const since = await codesSetUpAt(db(), userId);
  if (since === null) return null;
  return {
    since: new Date(since).toISOString(),
    recoveryCodesLeft: await recoveryCodesLeft(db(), userId),
  };
}

function present(open: OpenSession, idHash: string): AccountSession {
  return {
    // Only enough of the hash to tell rows apart.
    key: open.idHash.slice(0, 12),
    signedInAt: new Date(open.signedInAt).toISOString(),
    lastUsedAt: new Date(open.lastSeenAt).toISOString(),
    address: open.clientAddress,
    ...parseUserAgent(open.userAgent),
    here: open.idHash === idHash,
  };
}

/**
 * Sets a new password for a person who knows the current one. Ends their other sessions and password links. Throws
 * `invalid_fields` (`current`, or `password` with the rule it breaks), `too_many_requests`, or, where the session ended
 * or the password changed meanwhile, `signed_out` or `changed_meanwhile`.
 */
export async function changePassword(
  { viewer, session }: OwnAccount,
  { current, password }: PasswordChange,
  context: AccountContext,
): Promise<EndedSessions> {
  const fault = passwordFault(password, viewer);
  if (fault) throw fieldRefused("password", fault);
  const checked = await requirePassword(
    { viewer, session },
    { password: current, path: "current" },
    context,
  );
  const passwordHash = await hashPassword(
    password,
    await requireHash(db(), hashInSession(viewer.id)),
  );
  const { requestId, clientAddress } = context;
  const ended = await db()
    .transaction()
    .execute(async (trx) => {
      const now = databaseTime();
      // Otherwise a slow request would undo a password that was set meanwhile to lock its sender out.
      const person = await lockPerson(trx, viewer.id);
      await requireLive(trx, session);
      if (person.password_hash !== checked)
        throw new ProblemError("changed_meanwhile", { applied: "no" });
      await trx
        .updateTable("users")
        .set({ password_hash: passwordHash })
        .where("id", "=", viewer.id)
        .execute();
      await endPasswordLinksOf(trx, viewer.id, now);
      const others = await endSessionsOf(trx, viewer.id, "password_changed", now, session.idHash);
      await recordPerson(trx, {
        who: viewer,
        kind: "password_changed",
        requestId,
        clientAddress,
        outcome: "changed",
        detail: {},
      });
      return others;
    });
  log.info({ requestId, clientAddress, userId: viewer.id, ended }, "a password was changed");
  return { ended };
}

/** Ends the person's other sessions, one of them, or all. */
export async function endSessions(
  { viewer, session }: OwnAccount,
  { which, key = "" }: EndSessions,
  context: RequestContext,
): Promise<EndedSessions> {
  const ended = await db()
    .transaction()
    .execute(async (trx) => {
      const now = databaseTime();
      if (which === "all") {
        // Otherwise many requests at once would each write an entry.
        await lockPerson(trx, viewer.id);
        await requireLive(trx, session);
      }
      const others =
        which === "one"
          ? await endOneOtherSessionOf(trx, session, key, "ended_elsewhere", now)
          : await endSessionsOf(trx, viewer.id, "ended_elsewhere", now, session.idHash);
      if (which === "all") await endSessionsOf(trx, viewer.id, "ended_elsewhere", now);
      // No entry where none ended: otherwise anybody signed in could write any number of entries.
      if (others === 0 && which !== "all") return others;
      await recordPerson(trx, {
        ...context,
        who: viewer,
        kind: "sessions_ended",
        outcome: which,
        detail: { ended: others },
      });
      return others;
    });
  log.info({ ...context, userId: viewer.id, which, ended }, "signed out everywhere");
  return { ended };
}
