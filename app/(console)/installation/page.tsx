import { consolePage } from "@/app/(console)/_page/console-page";
import { InstallationScreen } from "@/components/installation/installation-screen";
import { readHealth } from "@/lib/installation/server/health";
import { requireStaff } from "@/lib/platform/access/require";
import { listStaff } from "@/lib/staff/server/staff";

const { generateMetadata, Page } = consolePage({
  title: "installation",
  path: () => "/installation",
  access: async () => ({
    reader: await requireStaff("installation.read"),
    manager: await requireStaff("staff.manage"),
  }),
  load: async ({ access: { reader, manager } }) => (
    <InstallationScreen health={await readHealth(reader)} people={await listStaff(manager)} />
  ),
});

export { generateMetadata, Page as default };
