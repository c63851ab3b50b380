import { byStaffFor, inPartner } from "@/lib/platform/access/testing/asking";
import { diagnose as diagnoseWith } from "@/lib/support/server/diagnosis";
import { endSupportView as endSupportViewWith } from "@/lib/support/server/end-view";
import { openSupportView as openSupportViewWith } from "@/lib/support/server/open-view";

/** What a person does, once their route has asked whether they may. */
export const diagnose = inPartner("webhooks.read", diagnoseWith);
export const endSupportView = byStaffFor("support_view.open", endSupportViewWith);
export const openSupportView = byStaffFor("support_view.open", openSupportViewWith);
