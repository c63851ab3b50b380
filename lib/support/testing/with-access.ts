import { byStaffFor, inPartner } from "@/lib/platform/access/testing/asking";
import * as views from "@/lib/support/server/support-view";

/** A person's actions, with the access check that their route makes. */
export const diagnose = inPartner("webhooks.read", views.diagnose);
export const endSupportView = byStaffFor("support_view.open", views.endSupportView);
export const openSupportView = byStaffFor("support_view.open", views.openSupportView);
