import { listStaff } from "@/lib/staff/server/stored-person";
import { InstallationScreen } from "@/components/installation/installation-screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { ForbiddenState } from "@/components/layout/states/state";
import { onPage, unlessForbidden } from "@/lib/platform/access/on-page";
import { requireStaff } from "@/lib/platform/access/require";
import { readHealth } from "@/lib/installation/server/health";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("installation");
  return { title: t("title") };
}

export default async function InstallationPage() {
  const seen = await onPage("/installation", unlessForbidden("/installation", read()));
  if (!seen) return <ForbiddenState />;
  return (
    <ClientMessages namespaces={["installation"]}>
      <InstallationScreen health={seen.health} people={seen.people} />
    </ClientMessages>
  );
}

async function read() {
  const health = await readHealth(await requireStaff("installation.read"));
  return { health, people: await listStaff(await requireStaff("staff.manage")) };
}
