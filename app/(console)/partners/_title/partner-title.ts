import { currentSupportView } from "@/lib/platform/access/support-view";
import { signedIn } from "@/lib/platform/access/viewer";
import type { Metadata } from "next";
import { environmentName } from "@/lib/platform/i18n/environment-name";
import { getTranslations } from "next-intl/server";

/**
 * The tab title of a partner's page: page, partner and environment, so that people can tell two tabs apart. Reveals
 * nothing about a partner that the person has no access to.
 */
export async function partnerTitle(partnerId: string, environment?: string): Promise<Metadata> {
  const person = await signedIn();
  const name =
    person?.viewer.memberships.find((each) => each.partnerId === partnerId)?.partnerName ??
    (person && (await currentSupportView(partnerId))?.partner.name);
  if (!name) return {};
  const t = await getTranslations("common");
  const parts = [name];
  if (environment !== undefined) parts.push(await environmentName(decodeURIComponent(environment)));
  // Next replaces "%s" in the template, so a partner's name must not contain it.
  const about = parts.join(" · ").replaceAll("%s", "%");
  return { title: { template: `%s · ${about} · ${t("product")}`, default: t("product") } };
}
