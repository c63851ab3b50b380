import { configure } from "@/lib/platform/database/testing/configure";
import { expect, it, vi } from "vitest";
import { listsAddress, listsName } from "./address";

vi.mock("node:dns/promises", () => ({
  lookup: async (name: string) => {
    if (name === "gone.example") throw new Error("ENOTFOUND");
    return [{ address: `203.0.114.${name.length}`, family: 4 }];
  },
}));

it("refuses Gancho itself, its database, every environment of the payment service, the proxy, and what is named", async () => {
  await configure({
    GANCHO_URL: "https://gancho.example",
    DATABASE_URL:
      "postgres://gancho:hidden@db.internal.example/gancho?host=other-db.internal.example",
    PARTNER_API_ENVIRONMENTS: "production=https://api.pix.example/v1,sandbox=https://gone.example",
    GANCHO_PUBLIC_ADDRESS: "198.51.99.7",
    EGRESS_DENY: "named.example,198.51.98.0/24",
    EGRESS_PROXY: "http://proxy.example:4750",
    PORT: "3979",
  });
  const { egressRules } = await import("./rules");
  const { deny, proxy, loopbackPort } = await egressRules();
  for (const name of [
    "gancho.example",
    "db.internal.example",
    // The driver calls `?host=` where both are set.
    "other-db.internal.example",
    "api.pix.example",
    "gone.example",
    "proxy.example",
    "deep.named.example",
  ])
    expect([name, listsName(name, deny)]).toEqual([name, true]);
  expect(listsName("hooks.partner.example", deny)).toBe(false);
  for (const name of ["gancho.example", "db.internal.example", "api.pix.example", "proxy.example"])
    expect(listsAddress(`203.0.114.${name.length}`, deny)).toBe(true);
  for (const address of ["198.51.99.7", "198.51.98.200", "127.0.0.1"])
    expect([address, listsAddress(address, deny)]).toEqual([address, true]);
  expect(listsAddress("203.0.114.99", deny)).toBe(false);
  expect(proxy).toMatchObject({ host: "proxy.example", port: 4750 });
  // Outside the demo, nothing of this machine is open.
  expect(loopbackPort).toBeNull();
});
