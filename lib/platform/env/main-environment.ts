import "server-only";
import { env } from "./env";

/** The environment that staff see first: a production one where there is one, since a mistake there costs money. */
export function mainEnvironment(): string {
  const { environments, productionEnvironments } = env();
  const [first = ""] = environments.keys();
  const [production = first] = productionEnvironments;
  return production;
}
