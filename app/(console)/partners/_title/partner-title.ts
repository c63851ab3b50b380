import { inTitle } from "@/app/title-of";
import { currentSupportView } from "@/lib/platform/access/support-view";
import { signedIn } from "@/lib/platform/access/viewer";
import type { Metadata } from "next";
import { env } from "@/lib/platform/env/env";
import { environmentName } from "@/lib/platform/i18n/environment-name";

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
  const parts = [name];
  if (environment !== undefined) parts.push(await environmentName(decodeURIComponent(environment)));
  const product = env().brand.name;
  return {
    title: { template: `%s · ${inTitle([...parts, product].join(" · "))}`, default: product },
  };
}
