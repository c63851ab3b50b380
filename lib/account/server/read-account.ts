import "server-only";
import { codesSetUpAt } from "@/lib/platform/auth/second-factors";
import { mustEnrolFirst, type SignedIn } from "@/lib/platform/access/viewer";
import { relyingParty } from "@/lib/platform/auth/passkeys/webauthn";
import { recoveryCodesLeft } from "@/lib/platform/auth/codes/recovery-codes";
import { openSessionsOf, type OpenSession } from "@/lib/platform/auth/sessions/sessions";
import { stepUpWays } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import { readAlertSettings } from "@/lib/alerts/server/settings";
import { readOwnActivity } from "@/lib/history/server/read/activity";
import { parseUserAgent } from "@/lib/platform/http/model/parse-user-agent";
import type { Account, AccountSession } from "@/lib/account/model/account";
import { readPasskeys } from "./passkeys";

/** The person's own account; nobody sees another one's. */
export async function readAccount(person: SignedIn): Promise<Account> {
  const { viewer, session, codesMissing, passkeyMissing } = person;
  const mustEnrol = mustEnrolFirst(person);
  return {
    id: viewer.id,
    name: viewer.name,
    email: viewer.email,
    passwordSet: (await stepUpWays(db(), viewer.id)).password,
    codes: await readCodes(viewer.id),
    codesMissing,
    passkeys: await readPasskeys(viewer.id),
    passkeysWork: relyingParty() !== null,
    passkeyMissing,
    sessions: mustEnrol ? [] : await readSessions(viewer.id, session.idHash),
    activity: mustEnrol ? [] : await readOwnActivity(person),
    alerts: mustEnrol ? null : await readAlertSettings(person),
  };
}

async function readSessions(userId: string, idHash: string): Promise<AccountSession[]> {
  const sessions = (await openSessionsOf(db(), userId)).map((open) => present(open, idHash));
  return [...sessions.filter(({ here }) => here), ...sessions.filter(({ here }) => !here)];
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
