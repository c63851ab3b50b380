import { inOwnAccount, settingUp, signedIn } from "@/lib/platform/access/testing/asking";
import { requireSignedIn } from "@/lib/platform/access/require";
import { requireStepUp as requireStepUpWith } from "@/lib/platform/auth/step-up";
import {
  changePassword as changePasswordWith,
  endSessions as endSessionsWith,
  readAccount as readAccountWith,
} from "@/lib/account/server/account";
import {
  beginPasskey as beginPasskeyWith,
  addPasskey as addPasskeyWith,
  removePasskey as removePasskeyWith,
} from "@/lib/account/server/passkeys";
import {
  beginStepUp as beginStepUpWith,
  confirmStepUp as confirmStepUpWith,
} from "@/lib/account/server/step-up";
import {
  beginCodes as beginCodesWith,
  confirmCodes as confirmCodesWith,
  turnOffCodes as turnOffCodesWith,
  renewRecoveryCodes as renewRecoveryCodesWith,
} from "@/lib/account/server/codes/codes";

/** A person's actions, with the access check that their route makes. */
export const changePassword = inOwnAccount(changePasswordWith);
export const endSessions = inOwnAccount(endSessionsWith);
export const beginPasskey = settingUp("passkey", beginPasskeyWith);
export const addPasskey = settingUp("passkey", addPasskeyWith);
export const removePasskey = inOwnAccount(removePasskeyWith);
export const readAccount = signedIn(readAccountWith);
export const beginStepUp = signedIn(beginStepUpWith);
export const confirmStepUp = signedIn(confirmStepUpWith);
export const beginCodes = settingUp("codes", beginCodesWith);
export const confirmCodes = settingUp("codes", confirmCodesWith);
export const renewRecoveryCodes = inOwnAccount(renewRecoveryCodesWith);
export const turnOffCodes = inOwnAccount(turnOffCodesWith);
export const requireStepUp = async (now?: number) =>
  requireStepUpWith(await requireSignedIn(), now);
