/** Query keys of this feature's data in the browser. Imports nothing. */
export const connectionKeys = {
  connection: (partner: string, environment: string) =>
    ["connection", partner, environment] as const,
};
