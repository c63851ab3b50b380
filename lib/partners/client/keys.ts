import type { PartnerStatus } from "@/lib/partners/model/page";

/** What the list is narrowed down to. */
export type PartnerFilter = {
  search: string;
  status: PartnerStatus | null;
  environment: string;
};

/** Query keys of the list of partners in the browser. */
export const partnerKeys = {
  lists: ["partners"] as const,
  list: ({ search, status, environment }: PartnerFilter) =>
    [...partnerKeys.lists, environment, status, search] as const,
};
