/** `demo` only under the demo's program; `development` under `npm run dev` and in tests; else `production`. */
export type Mode = "production" | "development" | "demo";

export type Source = Record<string, string | undefined>;

export function modeOf(source: Source): Mode {
  if (source["GANCHO_DEMO"] === "1") return "demo";
  const node = source["NODE_ENV"];
  return node === "development" || node === "test" ? "development" : "production";
}

/** Starts every key and secret that the demo generates, so that a production configuration can refuse them. */
export const demoMark = "demo-";

/** Every demo account's password. It is public, so only the demo accepts it. */
export const demoPassword = "gancho-demo-only";
