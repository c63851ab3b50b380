import { NoPartnerState } from "@/components/shell/no-partner-state";
import { homeOf } from "@/lib/access/home";
import { onPage } from "@/lib/access/on-page";
import { requireUser } from "@/lib/access/require";
import { redirect } from "next/navigation";

/** Sends everybody to where they begin. */
export default async function HomePage() {
  const viewer = await onPage("/", requireUser());
  const home = homeOf(viewer);
  if (home) redirect(home);
  return <NoPartnerState email={viewer.email} />;
}
