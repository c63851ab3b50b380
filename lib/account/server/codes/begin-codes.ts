import "server-only";
import { requireSignedIn } from "@/lib/platform/access/require";
import { otpauthUri } from "@/lib/platform/auth/codes/one-time-code";
import { beginEnrolment } from "@/lib/platform/auth/codes/one-time-codes";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { BeginCodes, BegunCodes } from "@/lib/account/model/account";
import type { AccountOrigin } from "@/lib/account/server/account-origin";
import { qrPicture } from "./qr-picture";
import { requirePassword } from "@/lib/account/server/require-password";

/**
 * A secret for the authenticator app of whoever asks and knows the password. Until a code confirms it, sign-in is as
 * before. Throws `signed_out`, `no_password`, `invalid_fields`, `too_many_requests`, or `changed_meanwhile` where codes
 * are set up already.
 */
export async function beginCodes(
  { password }: BeginCodes,
  origin: AccountOrigin,
): Promise<BegunCodes> {
  const { viewer } = await requireSignedIn();
  await requirePassword(viewer, { password, path: "password" }, origin);
  const secret = await beginEnrolment(db(), viewer.id);
  if (secret === null) throw new ProblemError("changed_meanwhile", { applied: "no" });
  const uri = otpauthUri(secret, { issuer: `Gancho (${env().url.host})`, account: viewer.email });
  return { secret: secret.replace(/.{4}(?=.)/g, "$& "), uri, picture: qrPicture(uri) };
}
