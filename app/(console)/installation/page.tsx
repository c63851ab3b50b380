import { listStaff } from "@/lib/staff/server/stored-person";
import { EnvironmentsTable } from "@/components/installation/environments-table";
import { HealthCard } from "@/components/installation/health-card";
import { ClientMessages } from "@/components/layout/client-messages";
import { ForbiddenState } from "@/components/layout/states/forbidden-state";
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
    <ClientMessages namespaces={["common", "shell", "problems", "installation"]}>
      <div className="flex flex-col gap-8">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
          <div className="min-w-0">
            <h1 className="text-title font-semibold tracking-tight">{t("title")}</h1>
            <p className="mt-1 text-pretty text-ink-2">{t("intro")}</p>
          </div>
          <ButtonLink href="/installation/activity">{t("activity")}</ButtonLink>
        </div>
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
