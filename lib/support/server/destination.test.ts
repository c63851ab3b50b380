import { beforeAll, expect, test } from "vitest";
import { supportDestination } from "@/lib/support/server/support-view";

beforeAll(() => {
  Object.assign(process.env, {
    GANCHO_URL: "http://localhost:3000",
    AUTH_SECRET: "0123456789abcdefghijklmnopqrstuvwxyz",
    ENCRYPTION_KEYS: `k1:${Buffer.from("0123456789abcdefghijklmnopqrstuv").toString("base64")}`,
    PARTNER_API_ENVIRONMENTS: "sandbox=http://127.0.0.1:4010,production=https://api.example.com",
  });
});

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
