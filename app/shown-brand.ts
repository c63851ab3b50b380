import type { ShownBrand } from "@/components/layout/brand";
import { brandLinks } from "@/lib/platform/env/brand";
import type { BrandColours } from "@/lib/platform/env/brand-colours";
import { env } from "@/lib/platform/env/env";

/** What the browser needs of the brand. */
export function shownBrand(): ShownBrand {
  const { name, images, links } = env().brand;
  const address = (image: keyof typeof images) => {
    const version = images[image]?.version;
    return version === undefined ? null : `/brand/${image}?v=${version}`;
  };
  return {
    name,
    logo: address("logo"),
    logoDark: address("logo-dark"),
    icon: address("icon"),
    links: brandLinks.flatMap((one) => {
      const href = links[one];
      return href === undefined ? [] : [{ name: one, href }];
    }),
  };
}

/** Takes precedence over app/globals.css, wherever it stands in the page. */
export function brandStyles(colours: BrandColours): string {
  const pairs = Object.entries(colours).map(
    ([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`,
  );
  return `:root:root{${pairs.join(";")}}`;
}
