/** Query keys of this feature's data in the browser. Imports nothing. */
export const teamKeys = {
  team: (partner: string) => ["team", partner] as const,
};
