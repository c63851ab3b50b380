import { db } from "@/lib/platform/database/open";
import { makeInvitationLinks } from "@/lib/team/server/invitations/create-invitation";

/** The token of the newest open invitation to this address, as the operator gets it at the terminal. */
export async function invitationToken(email: string): Promise<string> {
  const [link] = await makeInvitationLinks(db(), email);
  return new URL(link ?? "").hash.slice(1);
}
