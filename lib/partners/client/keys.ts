import type { PartnerSort, PartnerStatus } from "@/lib/partners/model/page";

/** What the list is narrowed down to. */
export type PartnerFilter = {
  search: string;
  status: PartnerStatus | null;
  /** null: by id. */
  sort: PartnerSort | null;
  environment: string;
};

/** Query keys of the list of partners in the browser. */
export const partnerKeys = {
  lists: ["partners"] as const,
  list: ({ search, status, sort, environment }: PartnerFilter) =>
    [...partnerKeys.lists, environment, status, sort, search] as const,
};
