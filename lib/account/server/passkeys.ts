import "server-only";
import { fieldRefused, ProblemError } from "@/lib/platform/http/model/problem";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { codesSetUpAt } from "@/lib/platform/auth/second-factors";
import type { OwnAccount, SettingUp } from "@/lib/platform/access/require";
import { requiredSecondFactor } from "@/lib/platform/access/viewer";
import { newGeneration } from "@/lib/platform/auth/sign-in/known-device";
import { lockPerson } from "@/lib/platform/database/row-locks";
import {
  storePasskey,
  passkeysOf,
  deletePasskey,
  maxPasskeys,
  type Added,
} from "@/lib/platform/auth/passkeys/passkeys";
import { askForNewPasskey } from "@/lib/platform/auth/passkeys/webauthn";
import {
  isSteppedUpByPasskey,
  recordPasskeyIn,
  requireAnyStepUp,
  requireStepUp,
} from "@/lib/platform/auth/step-up";
import { requireLive } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { recordPerson } from "@/lib/history/server/record/record";
import { log } from "@/lib/platform/log/log";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type {
  AccountPasskey,
  BeginPasskey,
  BegunPasskey,
  NewPasskey,
} from "@/lib/account/model/account";
import { type AccountContext, withCode } from "./step-up";

/** The passkeys of the person with this id, the oldest first. Checks no access. */
export async function readPasskeys(userId: string): Promise<AccountPasskey[]> {
  return (await passkeysOf(db(), userId)).map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  }));
}

/**
 * The options with which the browser makes a passkey for the person. Requires their strongest proof, another passkey or
 * a one-time code beside the password: somebody with a session and the password must not add a passkey of their own.
 * Throws the problems of `requireStepUp` and `withCode`, `passkeys_unavailable` or `too_many_passkeys`.
 */
export async function beginPasskey(
  { viewer, session }: SettingUp<"passkey">,
  { code }: BeginPasskey,
  context: AccountContext,
): Promise<BegunPasskey> {
  const hasCodes = (await codesSetUpAt(db(), viewer.id)) !== null;
  await (hasCodes ? requireAnyStepUp({ session }) : requireStepUp({ session }));
  const known = await passkeysOf(db(), viewer.id);
  if (known.length >= maxPasskeys) throw new ProblemError("too_many_passkeys", { applied: "no" });
  const asking = { purpose: "add", boundTo: session.idHash, known } as const;
  if (!hasCodes || isSteppedUpByPasskey(session, databaseTime()))
    return { options: await askForNewPasskey(db(), asking, viewer) };
  if (code === undefined) throw fieldRefused("code", "required");
  const options = await withCode({ viewer, session }, code, context, (trx) =>
    askForNewPasskey(trx, asking, viewer),
  );
  return { options };
}

const refusals: Record<Exclude<Added["outcome"], "added">, ProblemCode> = {
  over: "passkey_over",
  refused: "passkey_refused",
  taken: "passkey_taken",
  too_many: "too_many_passkeys",
  not_first: "passkey_required",
};

/**
 * Stores the new passkey. Its challenge, which is bound to this session, shows that the proofs for it were given.
 * Throws `passkey_over`, `passkey_refused`, `passkey_taken`, `too_many_passkeys`, or `passkey_required` where the
 * person added another one meanwhile and has not used it here.
 */
export async function addPasskey(
  { viewer, session }: SettingUp<"passkey">,
  given: NewPasskey,
  context: RequestContext,
): Promise<void> {
  const { name } = given;
  const added = await db()
    .transaction()
    .execute(async (trx) => {
      const result = await storePasskey(trx, viewer.id, {
        ...given,
        boundTo: session.idHash,
        // It may have begun before the person had a passkey, when the password was enough.
        onlyAsFirst: session.passkeyAt === null && (await codesSetUpAt(trx, viewer.id)) === null,
      });
      if (result.outcome !== "added") return result;
      await requireLive(trx, session);
      await recordPasskeyIn(trx, session);
      await newGeneration(trx, viewer.id);
      const { id: passkey } = result;
      await recordPerson(trx, {
        ...context,
        who: viewer,
        kind: "passkey_added",
        outcome: null,
        detail: { passkey, name },
      });
      return result;
    });
  log.info({ ...context, userId: viewer.id, outcome: added.outcome }, "a passkey was made");
  if (added.outcome !== "added") throw new ProblemError(refusals[added.outcome], { applied: "no" });
}

/**
 * Removes a passkey, unless it is the last one and its person must have one. Throws the problems of
 * `requireStepUp`, `changed_meanwhile` where it is gone, or `last_passkey`.
 */
export async function removePasskey(
  { viewer, session }: OwnAccount,
  id: string,
  context: RequestContext,
): Promise<void> {
  await requireStepUp({ session });
  await db()
    .transaction()
    .execute(async (trx) => {
      const person = await lockPerson(trx, viewer.id);
      await requireLive(trx, session);
      const passkeys = await passkeysOf(trx, viewer.id);
      const passkey = passkeys.find((each) => each.id === id);
      if (!passkey) throw new ProblemError("changed_meanwhile", { applied: "no" });
      const isOnlyWayIn = person.password_hash === null && env().oidc === null;
      const isRequired =
        person.password_hash !== null && requiredSecondFactor(viewer) === "passkey";
      if (passkeys.length === 1 && (isOnlyWayIn || isRequired))
        throw new ProblemError("last_passkey", { applied: "no" });
      await deletePasskey(trx, viewer.id, id);
      await newGeneration(trx, viewer.id);
      await recordPerson(trx, {
        ...context,
        who: viewer,
        kind: "passkey_removed",
        outcome: null,
        detail: { passkey: id, name: passkey.name },
      });
    });
  log.info({ ...context, userId: viewer.id }, "a passkey was removed");
}
