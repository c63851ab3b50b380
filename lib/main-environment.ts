import "server-only";
import { env } from "./env";
import { isProduction } from "./is-production";

/** The environment that staff look at first: production where there is one, since a mistake there costs money. A leaf. */
export function mainEnvironment(): string {
  const names = [...env().environments.keys()];
  return names.find(isProduction) ?? names[0] ?? "";
}
