import { homePath } from "@/lib/platform/access/viewer";
import { NoPartnerState, UnprovenState } from "@/components/layout/states/state";
import { onPage } from "@/lib/platform/access/on-page";
import { requireUser } from "@/lib/platform/access/require";
import { waysToProve } from "@/lib/platform/auth/proven-address";
import { redirect } from "next/navigation";

/** Sends each person to their start page. */
export default async function HomePage() {
  const viewer = await onPage("/", requireUser());
  const home = homePath(viewer);
  if (home) redirect(home);
  const { withheldRole, email } = viewer;
  return withheldRole === null ? (
    <NoPartnerState email={email} />
  ) : (
    <UnprovenState email={email} role={withheldRole} {...waysToProve()} />
  );
}
