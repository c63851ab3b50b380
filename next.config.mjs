import createNextIntlPlugin from "next-intl/plugin";

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  productionBrowserSourceMaps: false,
  // Native or dynamic-requiring packages stay outside the bundle.
  serverExternalPackages: ["libsql", "pg", "@node-rs/argon2", "pino", "undici"],
  images: { unoptimized: true },
};

export default createNextIntlPlugin("./lib/i18n/request.ts")(config);
