import { env, type SingleSignOnSettings } from "@/lib/platform/env/env";
import { Secret } from "@/lib/platform/runtime/secret";
import { onTestFinished } from "vitest";

export const aProvider: SingleSignOnSettings = {
  issuer: "https://id.example",
  clientId: "gancho",
  clientSecret: new Secret("secret"),
  name: "Example ID",
  staff: null,
  partners: { name: "groups", before: "pix-", between: "-", after: "" },
  isOnlyWay: true,
};

/** People sign in at this provider from now on, until the test ends. */
export function signInAt(provider: SingleSignOnSettings = aProvider): void {
  const { oidc } = env();
  Object.assign(env(), { oidc: provider });
  onTestFinished(() => void Object.assign(env(), { oidc }));
}
