import { homePath } from "@/lib/attention/server/home";
import { preferenceIn } from "@/lib/platform/i18n/model/preference-cookie-name";
import { cookies } from "next/headers";
import { NoPartnerState, OpensAtProviderState } from "@/components/layout/states/state";
import { onPage } from "@/lib/platform/access/on-page";
import { requireOwnAccount } from "@/lib/platform/access/require";
import { openInvitationsTo } from "@/lib/platform/auth/right-to-invite";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { redirect } from "next/navigation";

/** Sends each person to their start page. */
export default async function HomePage() {
  const { viewer, opensAtProvider } = await onPage("/", requireOwnAccount());
  const last = preferenceIn(await cookies(), "gancho-environment");
  const home = await homePath(viewer, last === undefined ? null : decodeURIComponent(last));
  if (home) redirect(home);
  const [invitation] = await openInvitationsTo(db(), viewer.invitedAs);
  if (invitation) redirect("/invitation");
  const { oidc } = env();
  if (oidc && opensAtProvider) return <OpensAtProviderState provider={oidc.name} />;
  return <NoPartnerState email={viewer.email} provider={oidc?.isOnlyWay ? oidc.name : null} />;
}
