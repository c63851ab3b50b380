import { ClientMessages } from "@/components/layout/client-messages";
import { ReceiverKitScreen } from "@/components/receiver-kit/receiver-kit-screen";
import { onPage } from "@/lib/platform/access/on-page";
import { requireEnvironment, requirePartner } from "@/lib/platform/access/require";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("receiverKit");
  return { title: t("title") };
}

type Props = { params: Promise<{ partner: string; environment: string }> };

export default async function ReceiverKitPage({ params }: Props) {
  const { partner, environment } = await params;
  const path = `/partners/${partner}/${environment}/receiver-kit`;
  await onPage(path, accessTo(partner, environment));
  return (
    <ClientMessages namespaces={["receiverKit"]}>
      <ReceiverKitScreen />
    </ClientMessages>
  );
}

/** The page has no data of the partner; everybody who may see its webhooks may open it. */
async function accessTo(partner: string, environment: string): Promise<void> {
  await requirePartner(partner, "webhooks.read");
  requireEnvironment(environment);
}
