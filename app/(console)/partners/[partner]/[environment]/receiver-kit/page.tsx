import { environmentPage } from "@/app/(console)/_page/console-page";
import { ReceiverKitScreen } from "@/components/receiver-kit/receiver-kit-screen";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Receiver } from "@/lib/receiver-kit/model/snippets";
import { loadKnown } from "@/lib/webhooks/server/observe/observed";
import { requireConnectionRef } from "@/lib/webhooks/server/observe/reading";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";

const { generateMetadata, Page } = environmentPage({
  section: "receiver-kit",
  title: "receiverKit",
  permission: "webhooks.read",
  load: async ({ access, params }) => (
    <ReceiverKitScreen
      receivers={await receiversOf(access, params.environment)}
      note={env().receiverNote}
    />
  ),
});

export { generateMetadata, Page as default };

/**
 * The addresses that the last look showed, to fill in the examples, so no fresh one is needed. One that no save here
 * asked for is left out: a developer would send the value there.
 */
async function receiversOf(
  access: PartnerAccess<"webhooks.read">,
  environment: string,
): Promise<Receiver[]> {
  try {
    const { last } = await loadKnown(db(), await requireConnectionRef(access, environment));
    return webhookTypes.flatMap((type) => {
      const url = last?.remote.webhooks[type]?.callbackUrl;
      const isOwn = !last?.types[type].difference;
      return url !== undefined && isOwn ? [{ type, url }] : [];
    });
  } catch (thrown) {
    if (thrown instanceof ProblemError && thrown.code === "not_connected") return [];
    throw thrown;
  }
}
