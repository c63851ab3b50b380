import createNextIntlPlugin from "next-intl/plugin";
import { externalPackages } from "./lib/cli/programs.mjs";
import { headersEverywhere } from "./lib/platform/http/headers-everywhere.mjs";

/** A route's answer that a browser is made to show as a page may do nothing. */
const onRoutes = { "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'" };

/** @param {Record<string, string>} headers */
const listed = (headers) => Object.entries(headers).map(([key, value]) => ({ key, value }));

/** CI builds once, from nothing: nobody reads there what a build writes for later, two thirds of it. */
const nothingForLater = process.env["CI"] !== undefined && {
  turbopackSourceMaps: false,
  turbopackFileSystemCacheForBuild: false,
};

/** @type {import("next").NextConfig} */
const config = {
  // The files that a running Gancho needs, gathered in .next/standalone: deploy/Dockerfile takes nothing else.
  output: "standalone",
  poweredByHeader: false,
  reactStrictMode: true,
  // Types are checked once, for the whole project, by `npm test`; a build need not do it again.
  typescript: { ignoreBuildErrors: true },
  productionBrowserSourceMaps: false,
  // A page reloads when an instance with another build id answers: instances of one commit share it (lib/cli/build.ts).
  // null, as in an image, which has no .git: the framework generates one.
  generateBuildId: () => process.env["GANCHO_BUILD_ID"] ?? null,
  serverExternalPackages: externalPackages,
  images: { unoptimized: true },
  // What a page needs is named in its head. Named in a header as well, the stylesheet would be requested once more than
  // needed (lib/cli/inline-styles.ts).
  reactMaxHeadersLength: 0,
  experimental: {
    // Only ever switched off: switched on, browsers would get maps, too.
    ...nothingForLater,
    // A page that cannot be fetched waits for the connection, instead of giving way to the browser's error page.
    useOffline: true,
    // Loading all entries at the start blocks the process for seconds, and it would take the database for silent.
    preloadEntriesOnStart: false,
  },
  headers: async () => [
    { source: "/:path*", headers: listed(headersEverywhere) },
    { source: "/api/:path*", headers: listed(onRoutes) },
    { source: "/in/:path*", headers: listed(onRoutes) },
    { source: "/.well-known/:path*", headers: listed(onRoutes) },
  ],
};

/** Messages are parsed while building, so that no page carries the parser. */
const withMessages = createNextIntlPlugin({
  requestConfig: "./lib/platform/i18n/request.ts",
  experimental: {
    messages: {
      path: "./lib/platform/i18n/messages",
      format: "json",
      locales: ["en", "pt-BR"],
      precompile: true,
    },
  },
});

export default withMessages(config);
