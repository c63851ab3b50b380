/** Query keys of this feature's data in the browser. Imports nothing. */
export const endpointCheckKeys = {
  last: (partner: string, environment: string) =>
    ["endpoint-checks", partner, environment] as const,
  replaced: (partner: string, environment: string) =>
    ["endpoint-checks", partner, environment, "replaced"] as const,
};
