/** Every demo account's password. It is public, so only the demo accepts it. */
export const demoPassword = "gancho-demo-only";
