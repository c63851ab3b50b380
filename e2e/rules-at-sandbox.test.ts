import { isContractAuthorization, isContractUrl } from "@/lib/sandbox/registration";
import { checkAuthorizationValue } from "@/lib/webhooks/model/rules/authorization-value";
import { checkCallbackUrl } from "@/lib/webhooks/model/rules/callback-url";
import {
  nearMissAuthorizations,
  nearMissUrls,
} from "@/lib/webhooks/model/rules/testing/near-misses";
import fc from "fast-check";
import { expect, it } from "vitest";

/*
 * The dashboard and the payment service's stand-in each state the contract's rules in their own words; neither knows
 * the other's code.
 */

const count = 20_000;

const standIns: ReadonlySet<string> = new Set(["masked", "placeholder", "scheme_alone"]);

/** If all inputs were accepted, or none, the comparison would mean nothing. */
function expectBothKinds(accepted: number) {
  expect(accepted).toBeGreaterThan(count / 10);
  expect(accepted).toBeLessThan(count * 0.95);
}

it("Gancho accepts exactly the callback URLs that the sandbox accepts, except for two in one", () => {
  let accepted = 0;
  fc.assert(
    fc.property(nearMissUrls, (url) => {
      const check = checkCallbackUrl(url);
      accepted += Number(check.ok);
      if (!check.ok && check.code === "two_addresses") return;
      expect(isContractUrl(url)).toBe(check.ok);
    }),
    { numRuns: count },
  );
  expectBothKinds(accepted);
});

it("the same holds for an Authorization value, except that Gancho also refuses what stands for one", () => {
  let accepted = 0;
  fc.assert(
    fc.property(nearMissAuthorizations, (value) => {
      const check = checkAuthorizationValue(value);
      accepted += Number(check.ok);
      if (!check.ok && standIns.has(check.code)) return;
      expect(isContractAuthorization(value)).toBe(check.ok);
    }),
    { numRuns: count },
  );
  expectBothKinds(accepted);
});
