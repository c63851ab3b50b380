import "server-only";
import type { SignedIn } from "@/lib/platform/access/viewer";
import { requirePassword, type AccountContext } from "@/lib/account/server/require-password";
import { otpauthUri } from "@/lib/platform/auth/codes/one-time-code";
import { beginEnrolment } from "@/lib/platform/auth/codes/one-time-codes";
import { db } from "@/lib/platform/database/open";
import { encode } from "uqr";
import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { BeginCodes, BegunCodes } from "@/lib/account/model/account";

/**
 * A secret for the authenticator app of whoever asks and knows the password. Until a code confirms it, sign-in is as
 * before. Throws `no_password`, `invalid_fields`, `too_many_requests`, or `changed_meanwhile` where codes
 * are set up already.
 */
export async function beginCodes(
  { viewer }: SignedIn,
  { password }: BeginCodes,
  context: AccountContext,
): Promise<BegunCodes> {
  await requirePassword(viewer, { password, path: "password" }, context);
  const secret = await beginEnrolment(db(), viewer.id);
  if (secret === null) throw new ProblemError("changed_meanwhile", { applied: "no" });
  const uri = otpauthUri(secret, { issuer: `Gancho (${env().url.host})`, account: viewer.email });
  return { secret: secret.replace(/.{4}(?=.)/g, "$& "), uri, picture: qrPicture(uri) };
}

/** Modules of white around the code: the least that ISO/IEC 18004 asks for. */
const quiet = 4;

/** A QR code as one SVG path, dark modules only, in a square of `size` modules; no style, no script. */
function qrPicture(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: "M", border: quiet });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return { size, path };
}
