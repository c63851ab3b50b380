import { inOwnAccount, settingUp, signedIn } from "@/lib/platform/access/testing/asking";
import { requireSignedIn } from "@/lib/platform/access/require";
import { requireAnyStepUp as requireAnyStepUpWith } from "@/lib/platform/auth/step-up";
import * as account from "@/lib/account/server/account";
import * as codes from "@/lib/account/server/codes/codes";
import * as name from "@/lib/account/server/name";
import * as passkeys from "@/lib/account/server/passkeys";
import * as stepUp from "@/lib/account/server/step-up";

/** A person's actions, with the access check that their route makes. */
export const changeName = inOwnAccount(name.changeName);
export const changePassword = inOwnAccount(account.changePassword);
export const endSessions = inOwnAccount(account.endSessions);
export const readAccount = signedIn(account.readAccount);
export const beginPasskey = settingUp("passkey", passkeys.beginPasskey);
export const addPasskey = settingUp("passkey", passkeys.addPasskey);
export const removePasskey = inOwnAccount(passkeys.removePasskey);
export const beginStepUp = signedIn(stepUp.beginStepUp);
export const confirmStepUp = signedIn(stepUp.confirmStepUp);
export const beginCodes = settingUp("codes", codes.beginCodes);
export const confirmCodes = settingUp("codes", codes.confirmCodes);
export const renewRecoveryCodes = inOwnAccount(codes.renewRecoveryCodes);
export const turnOffCodes = inOwnAccount(codes.turnOffCodes);
export const requireAnyStepUp = async (now?: number) =>
  requireAnyStepUpWith(await requireSignedIn(), now);
