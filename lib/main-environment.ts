import "server-only";
import { env } from "./env";

/** The environment that staff look at first: production where there is one, since a mistake there costs money. A leaf. */
export function mainEnvironment(): string {
  const names = [...env().environments.keys()];
  return names.find((name) => name === "production") ?? names[0] ?? "";
}
