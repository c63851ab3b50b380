import { requireOwnAccount } from "@/lib/platform/access/require";
import { byStaff, byStaffFor } from "@/lib/platform/access/testing/asking";
import * as changing from "@/lib/partners/server/change-partner";
import { listPartners as listPartnersWith } from "@/lib/partners/server/list/list";
import type { PartnerQuery } from "@/lib/partners/model/page";

/** A person's actions, with the access check that their route makes. */
export const changePartner = byStaffFor("partners.manage", changing.changePartner);
export const createPartner = byStaff("partners.manage", changing.createPartner);
export const listPartners = async (query: PartnerQuery) =>
  listPartnersWith(await requireOwnAccount(), query);
