import { ClientMessages } from "@/components/layout/client-messages";
import { WebhooksSkeleton } from "@/components/webhooks/list/webhooks-screen";
import { onPage } from "@/lib/platform/access/on-page";
import { requirePartner } from "@/lib/platform/access/require";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { LoadedWebhooks } from "./loaded-webhooks";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("webhooks");
  return { title: t("title") };
}

type Props = { params: Promise<{ partner: string; environment: string }> };

export default async function WebhooksPage({ params }: Props) {
  const { partner, environment } = await params;
  const path = `/partners/${partner}/${environment}/webhooks`;
  const access = await onPage(path, requirePartner(partner, "webhooks.read"));
  return (
    <ClientMessages namespaces={["webhooks", "approvals", "history", "endpointCheck"]}>
      <Suspense fallback={<WebhooksSkeleton partnerName={access.partner.name} />}>
        <LoadedWebhooks access={access} environment={environment} />
      </Suspense>
    </ClientMessages>
  );
}
