/** Query keys of this feature's data in the browser. Imports nothing. */
export const webhookKeys = {
  configuration: (partner: string, environment: string) =>
    ["webhooks", partner, environment] as const,
};
