import { brandColours, type BrandColours } from "./brand-colours";
import { letterIcon, readBrandImages, type BrandImages } from "./brand-images";

/** What the operator put on the door. */
export type Brand = {
  /** The name on screens, in mails and in what people download. */
  name: string;
  /** null: those of app/globals.css. */
  colours: BrandColours | null;
  images: BrandImages;
  links: BrandLinks;
};

export const brandLinks = ["support", "privacy", "terms", "back"] as const;
export type BrandLinks = Partial<Record<(typeof brandLinks)[number], string>>;

type Values = {
  BRAND_NAME?: string | undefined;
  BRAND_DIR?: string | undefined;
  BRAND_ACCENT?: string | undefined;
  BRAND_LINKS?: BrandLinks | undefined;
};

/** As app/globals.css has it. */
const ownAccent = { brand: "#0f766e", ink: "#ffffff" };

/** The brand, or why there is none, one line each. */
export function readBrand(values: Values): { brand: Brand; problems: string[] } {
  const name = values.BRAND_NAME ?? "Gancho";
  const found = values.BRAND_ACCENT === undefined ? null : brandColours(values.BRAND_ACCENT);
  const { images, problems } =
    values.BRAND_DIR === undefined
      ? { images: {}, problems: [] }
      : readBrandImages(values.BRAND_DIR);
  const colours = found?.ok ? found.colours : null;
  const { brand, ink } = colours
    ? { brand: colours.brand[0], ink: colours["brand-ink"][0] }
    : ownAccent;
  const icon =
    images.icon ?? (values.BRAND_NAME === undefined ? null : letterIcon(name, brand, ink));
  return {
    brand: {
      name,
      colours,
      images: { ...images, ...(icon && { icon }) },
      links: values.BRAND_LINKS ?? {},
    },
    problems: [
      ...(found?.ok === false
        ? [`BRAND_ACCENT cannot be read on white: set ${found.nearest}, the nearest that can`]
        : []),
      ...problems.map((problem) => `BRAND_DIR ${problem}`),
    ],
  };
}
