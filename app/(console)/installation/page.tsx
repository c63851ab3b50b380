import { listStaff } from "@/lib/staff/server/stored-person";
import { EnvironmentsTable } from "@/components/installation/environments-table";
import { HealthCard } from "@/components/installation/health-card";
import { ClientMessages } from "@/components/layout/client-messages";
import { PageHeader } from "@/components/layout/page-header";
import { ForbiddenState } from "@/components/layout/states/state";
import { ButtonLink } from "@/components/ui/button-link";
import { StaffSection } from "@/components/staff/staff-section";
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
  const seen = await onPage("/installation", unlessForbidden("/installation", look()));
  if (!seen) return <ForbiddenState />;
  const { health, people } = seen;
  const t = await getTranslations("installation");
  return (
    <ClientMessages namespaces={["installation"]}>
      <div className="flex flex-col gap-8">
        <PageHeader
          title={t("title")}
          intro={t("intro")}
          actions={<ButtonLink href="/installation/activity">{t("activity")}</ButtonLink>}
        />
        <HealthCard health={health} />
        <EnvironmentsTable environments={health.environments} />
        <StaffSection people={people} />
      </div>
    </ClientMessages>
  );
}

async function look() {
  const health = await readHealth(await requireStaff("installation.read"));
  return { health, people: await listStaff(await requireStaff("staff.manage")) };
}
