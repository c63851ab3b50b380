import { env } from "@/lib/platform/env/env";
import { mainEnvironment } from "@/lib/platform/env/main-environment";
import { switchFourEyes } from "@/lib/team/testing/with-access";
import { readConfiguration, saveConfiguration } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { startWorld, type World } from "@/lib/webhooks/testing/world";
import { afterAll, beforeAll, expect, it } from "vitest";

const environment = "pix-eu";
const origin = { requestId: "test", clientAddress: null };
let world: World;

beforeAll(async () => {
  world = await startWorld(undefined, environment);
});
afterAll(() => world.close());

it("takes a second person in production, whatever the operator calls it (threat: a rule that knows one name)", async () => {
  const partner = await world.partner();
  const admin = await partner.person("admin");
  await partner.person("admin");
  signInAs(admin);
  await switchFourEyes(partner.id, true, origin);
  const { revision, fourEyes } = await readConfiguration(partner.id, environment, {
    requestId: "test",
  });
  expect(fourEyes).toBe(true);
  const request = {
    type: "pix_in",
    url: "https://hooks.example.com/pix",
    revision,
    authorization: { action: "remove" },
  } as const;
  const result = await saveConfiguration(partner.id, environment, request, origin);
  expect(result.outcome).toBe("waiting");
});

it("is read first by staff, too", () => {
  expect([...env().productionEnvironments]).toEqual([environment]);
  expect(mainEnvironment()).toBe(environment);
});
