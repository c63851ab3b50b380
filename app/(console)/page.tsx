import { NoPartnerState } from "@/components/shell/no-partner-state";
import { UnprovenState } from "@/components/shell/unproven-state";
import { homeOf } from "@/lib/access/home";
import { onPage } from "@/lib/access/on-page";
import { requireUser } from "@/lib/access/require";
import { waysToProve } from "@/lib/auth/proven-address";
import { redirect } from "next/navigation";

/** Sends everybody to where they begin. */
export default async function HomePage() {
  const viewer = await onPage("/", requireUser());
  const home = homeOf(viewer);
  if (home) redirect(home);
  const { withheldRole, email } = viewer;
  return withheldRole === null ? (
    <NoPartnerState email={email} />
  ) : (
    <UnprovenState email={email} role={withheldRole} {...waysToProve()} />
  );
}
