// Not in page.ts: the first load of the list needs these without the schemas.

/** The statuses to filter the list of partners by. */
export const partnerStatuses = [
  "type_missing",
  "no_authorization",
  "changed_outside",
  "failing",
  "endpoint_fails",
  "no_second_person",
  "suspended",
] as const;
export type PartnerStatus = (typeof partnerStatuses)[number];

/** The sort orders: from A, the worst first, the oldest confirmation first. */
export const partnerSorts = ["name", "status", "age"] as const;
export type PartnerSort = (typeof partnerSorts)[number];

export const maxSearchLength = 100;
