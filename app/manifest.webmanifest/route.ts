import { shownBrand } from "@/app/shown-brand";
import { env } from "@/lib/platform/env/env";
import { read, routes } from "@/lib/platform/http/route";
import { getTranslations } from "next-intl/server";

/** What a phone or desktop calls the dashboard that somebody installs, and how it draws it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("manifest", {
  GET: read({
    access: async () => undefined,
    handle: async () => {
      const brand = shownBrand();
      const { name } = brand;
      const {
        colours,
        images: { icon },
      } = env().brand;
      const t = await getTranslations("common");
      const manifest = {
        name,
        short_name: name,
        description: t("tagline"),
        start_url: "/",
        scope: "/",
        display: "browser",
        background_color: "#ffffff",
        theme_color: colours?.brand[0] ?? "#0f766e",
        icons: icon ? [{ src: brand.icon, type: icon.type, sizes: "any" }] : ownIcons,
      };
      return Response.json(manifest, {
        headers: { "content-type": "application/manifest+json" },
      });
    },
  }),
});

const ownIcons = [
  { src: "/icons/icon.svg", type: "image/svg+xml", sizes: "any" },
  { src: "/icons/icon-192.png", type: "image/png", sizes: "192x192" },
  { src: "/icons/icon-512.png", type: "image/png", sizes: "512x512" },
  { src: "/icons/icon-maskable.png", type: "image/png", sizes: "512x512", purpose: "maskable" },
];
