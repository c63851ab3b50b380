import { fileURLToPath } from "node:url";

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // Its own folder: from the project's, the framework would build Gancho's proxy and instrumentation into it.
  turbopack: { root: fileURLToPath(new URL(".", import.meta.url)) },
};
