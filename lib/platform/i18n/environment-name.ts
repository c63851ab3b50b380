import "server-only";
import { getTranslations } from "next-intl/server";

/**
 * An environment's name, where the server writes it alone. The operator chooses it; only the usual names are
 * translated.
 */
export async function environmentName(environment: string): Promise<string> {
  const t = await getTranslations("common.environments");
  return environment === "production" || environment === "sandbox" ? t(environment) : environment;
}
