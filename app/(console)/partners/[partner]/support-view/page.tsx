import { titleOf } from "@/app/title-of";
import { RefusedState } from "@/components/layout/states/state";
import { OpenViewForm } from "@/components/support/open-view-form";
import { onPage, unlessRefused } from "@/lib/platform/access/on-page";
import { requireStaffFor } from "@/lib/platform/access/require";
import { openSupportViews } from "@/lib/platform/access/support-view";
import { env } from "@/lib/platform/env/env";
import { supportDestination } from "@/lib/support/server/support-view";
import { redirect } from "next/navigation";

export const generateMetadata = titleOf("support.banner");

type Props = {
  params: Promise<{ partner: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/**
 * Support has to give a reason here before it sees anything of a partner. No `consolePage`, which may have sent its
 * skeleton before this knows whether it redirects.
 */
export default async function SupportViewPage({ params, searchParams }: Props) {
  const [{ partner: id }, { to }] = await Promise.all([params, searchParams]);
  const path = `/partners/${id}/support-view`;
  const access = await onPage(
    typeof to === "string" ? `${path}?to=${encodeURIComponent(to)}` : path,
    unlessRefused(path, requireStaffFor(id, "support_view.open")),
  );
  if (typeof access === "string") return <RefusedState why={access} />;
  const { session, partner } = access;
  const destination = supportDestination(partner.id, to);
  const views = await openSupportViews(session);
  if (views.some((view) => view.partner.id === partner.id)) redirect(destination);
  // Pages about all environments have none in their path.
  const [, , , environment = ""] = destination.split("/");
  const list = env().environments.has(environment)
    ? `/partners?environment=${environment}`
    : "/partners";
  return <OpenViewForm partner={partner} destination={destination} list={list} />;
}
