/** Whether mistakes in this environment cost money. The operator says so by its name. A leaf, also for the browser. */
export function isProduction(environment: string): boolean {
  return environment === "production";
}
