import { configure } from "@/lib/platform/database/testing/configure";
import { beforeAll, expect, test } from "vitest";
import { supportDestination } from "@/lib/support/server/support-view";

const PARTNER_API_ENVIRONMENTS = "sandbox=http://127.0.0.1:4010,production=https://api.example.com";
beforeAll(() => configure({ PARTNER_API_ENVIRONMENTS }));

const home = "/partners/aurora/production/webhooks";

test("leads to the requested page of this partner", () => {
  const history = "/partners/aurora/sandbox/history?type=pix_in";
  expect(supportDestination("aurora", history)).toBe(history);
});

test("anything else leads to the partner's webhooks (threat: a link that opens a view and leads elsewhere)", () => {
  for (const wanted of [
    undefined,
    ["/partners/aurora/sandbox/history", "/x"],
    "https://attacker.example/partners/aurora/",
    "//attacker.example",
    "/partners/mercado/sandbox/webhooks",
    "/partners/aurora-2/sandbox/webhooks",
    "/partners/aurora/../mercado/sandbox/webhooks",
    "/partners/aurora/support-view?to=/partners/aurora/support-view",
    "/api/partners/aurora",
  ])
    expect(supportDestination("aurora", wanted)).toBe(home);
});
