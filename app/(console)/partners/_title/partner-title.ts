import { currentSupportView } from "@/lib/platform/access/support-view";
import { signedIn } from "@/lib/platform/access/viewer";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

/**
 * What the tabs of a partner's pages are called: the page, whose it is and of which environment, so that two tabs are told
 * apart before one of them is used. Nothing of a partner that the person has no part in.
 */
export async function partnerTitle(partnerId: string, environment?: string): Promise<Metadata> {
  const person = await signedIn();
  const name =
    person?.viewer.memberships.find((each) => each.partnerId === partnerId)?.partnerName ??
    (person && (await currentSupportView(partnerId))?.partner.name);
  if (!name) return {};
  const t = await getTranslations("common");
  const parts = [name];
  if (environment === "production" || environment === "sandbox")
    parts.push(t(`environments.${environment}`));
  else if (environment !== undefined) parts.push(decodeURIComponent(environment));
  // A name that somebody chose is no pattern.
  const about = parts.join(" · ").replaceAll("%s", "%");
  return { title: { template: `%s · ${about} · ${t("product")}`, default: t("product") } };
}
