import { PartnersSkeleton } from "@/components/partners/partners-skeleton";
import { ClientMessages } from "@/components/layout/client-messages";
import { onPage } from "@/lib/platform/access/on-page";
import { requireUser } from "@/lib/platform/access/require";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { LoadedPartners } from "./loaded-partners";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("partners");
  return { title: t("title") };
}

type Search = Record<string, string | string[] | undefined>;

export default async function PartnersPage({ searchParams }: { searchParams: Promise<Search> }) {
  const [viewer, search] = await Promise.all([onPage("/partners", requireUser()), searchParams]);
  return (
    <ClientMessages namespaces={["partners"]}>
      <Suspense fallback={<PartnersSkeleton />}>
        <LoadedPartners reader={viewer.staffRole ?? "member"} search={search} />
      </Suspense>
    </ClientMessages>
  );
}
