import { consolePage } from "@/app/(console)/_page/console-page";
import { OpenViewForm } from "@/components/support/open-view-form";
import { requireStaffFor } from "@/lib/platform/access/require";
import { openSupportViews } from "@/lib/platform/access/support-view";
import { env } from "@/lib/platform/env/env";
import { supportDestination } from "@/lib/support/server/support-view";
import { redirect } from "next/navigation";

type Params = { partner: string };

/** Support has to give a reason here before it sees anything of a partner. */
const page = consolePage({
  title: "support.banner",
  namespaces: ["support"],
  path: ({ partner }: Params) => `/partners/${partner}/support-view`,
  access: ({ partner }: Params) => requireStaffFor(partner, "support_view.open"),
  async load({ access: { session, partner }, search }) {
    const destination = supportDestination(partner.id, search["to"]);
    const views = await openSupportViews(session);
    if (views.some((view) => view.partner.id === partner.id)) redirect(destination);
    // Pages about all environments have none in their path.
    const [, , , environment = ""] = destination.split("/");
    const list = env().environments.has(environment)
      ? `/partners?environment=${environment}`
      : "/partners";
    return <OpenViewForm partner={partner} destination={destination} list={list} />;
  },
});

export const { generateMetadata } = page;
export default page.Page;
