import { byStaffFor, inPartner } from "@/lib/platform/access/testing/asking";
import {
  diagnose as diagnoseWith,
  openSupportView as openSupportViewWith,
  endSupportView as endSupportViewWith,
} from "@/lib/support/server/support-view";

/** A person's actions, with the access check that their route makes. */
export const diagnose = inPartner("webhooks.read", diagnoseWith);
export const endSupportView = byStaffFor("support_view.open", endSupportViewWith);
export const openSupportView = byStaffFor("support_view.open", openSupportViewWith);
