import { homePath } from "@/lib/platform/access/viewer";
import { NoPartnerState } from "@/components/layout/states/state";
import { onPage } from "@/lib/platform/access/on-page";
import { requireUser } from "@/lib/platform/access/require";
import { openInvitationsTo } from "@/lib/platform/auth/right-to-invite";
import { db } from "@/lib/platform/database/open";
import { redirect } from "next/navigation";

/** Sends each person to their start page. */
export default async function HomePage() {
  const viewer = await onPage("/", requireUser());
  const home = homePath(viewer);
  if (home) redirect(home);
  const [invitation] = await openInvitationsTo(db(), viewer.email);
  if (invitation) redirect("/invitation");
  return <NoPartnerState email={viewer.email} />;
}
