import { hashOf, newToken } from "@/lib/platform/auth/one-time-token";
import { openInvitationsTo } from "@/lib/platform/auth/right-to-invite";
import { db } from "@/lib/platform/database/open";
import { update } from "@/lib/platform/database/testing/rows";

/** A token for the newest open invitation to this address: that of its mail is stored nowhere. */
export async function invitationToken(email: string): Promise<string> {
  const [invitation] = await openInvitationsTo(db(), email);
  if (!invitation) throw new Error(`no invitation to ${email} is open`);
  const token = newToken();
  await update("invitations", { token_hash: hashOf(token) }, { id: invitation.id });
  return token;
}
