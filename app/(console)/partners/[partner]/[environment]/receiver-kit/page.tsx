import { environmentPage } from "@/app/(console)/_page/console-page";
import { ReceiverKitScreen } from "@/components/receiver-kit/receiver-kit-screen";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Receiver } from "@/lib/receiver-kit/model/snippets";
import { loadLastKnown } from "@/lib/webhooks/server/read/last-known";
import { requireConnectionRef } from "@/lib/webhooks/server/read/read";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";

const { generateMetadata, Page } = environmentPage({
  section: "receiver-kit",
  title: "receiverKit",
  namespaces: ["receiverKit"],
  permission: "webhooks.read",
  load: async ({ access, params }) => (
    <ReceiverKitScreen receivers={await receiversOf(access, params.environment)} />
  ),
});

export { generateMetadata, Page as default };

/**
 * The last confirmed addresses, to fill in the examples, so no fresh read is needed. Addresses from an outside change
 * are left out: a developer would send the value there.
 */
async function receiversOf(
  access: PartnerAccess<"webhooks.read">,
  environment: string,
): Promise<Receiver[]> {
  try {
    const known = await loadLastKnown(db(), await requireConnectionRef(access, environment));
    return webhookTypes.flatMap((type) => {
      const url = known.confirmed?.remote.webhooks[type]?.callbackUrl;
      const isOwn = known.confirmed?.outside?.[type] === undefined;
      return url !== undefined && isOwn ? [{ type, url }] : [];
    });
  } catch (thrown) {
    if (thrown instanceof ProblemError && thrown.code === "not_connected") return [];
    throw thrown;
  }
}
