import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { runCheck } from "@/lib/endpoint-check/server/run";
import { denyList } from "@/lib/platform/egress/address";
import type { EgressRules } from "@/lib/platform/egress/egress";
import { Secret } from "@/lib/platform/runtime/secret";
import { generateAuthorization } from "@/lib/webhooks/model/rules/authorization-value";
import { freePort } from "@/e2e/installation/free-port";
import { readFileSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import { demoReceivers, demoValue, startReceivers } from "./receivers";

it("can rotate to a generated value with no downtime, and refuses the old one at the end", async () => {
  const port = await freePort();
  const receivers = await startReceivers(port, newFolder());
  const rules: EgressRules = {
    deny: denyList([]),
    proxy: null,
    loopbackPort: port,
    ca: readFileSync(receivers.caFile, "utf8"),
  };
  const [url] = demoReceivers(port)[0] ?? [""];
  const verdictFor = async (value: string) => {
    const subject = { url, value: new Secret(value), withheld: null };
    return (await runCheck("pix_in", subject, rules)).verdict;
  };
  const next = generateAuthorization();
  const verdicts = [];
  for (const value of ["Bearer guess", next, demoValue, next, demoValue])
    verdicts.push(await verdictFor(value));
  await receivers.close();
  expect(verdicts).toEqual([
    "value_refused",
    "enforced",
    "enforced",
    // Saved, and in use: the old one is gone.
    "enforced",
    "value_refused",
  ]);
});

it("has an address for every outcome that the demo promises, on this machine and nowhere else", async () => {
  const port = await freePort();
  const folder = newFolder();
  const receivers = await startReceivers(port, folder);
  // As in the demo, where Gancho, the sandbox and the database are on this machine, too.
  const rules: EgressRules = {
    deny: denyList(["localhost", "127.0.0.1"]),
    proxy: null,
    loopbackPort: port,
    ca: readFileSync(receivers.caFile, "utf8"),
    limits: { exchangeMs: 1_500 },
  };
  const found = [];
  const odd = [`https://hooks.localhost:${port}//`, "has an odd address"] as const;
  for (const [url, does] of [...demoReceivers(port), odd]) {
    const subject = { url, value: new Secret(demoValue), withheld: null };
    const { verdict, tls } = await runCheck("pix_in", subject, rules);
    found.push([does, tls?.failure ?? verdict, tls?.certificate?.daysLeft]);
  }
  await receivers.close();
  expect(found).toEqual([
    ["requires the registered value, and adopts a newly generated one", "enforced", 71],
    ["accepts everything, and has a certificate for 6 more days", "not_enforced", 6],
    ["refuses every value", "value_refused", 71],
    ["redirects", "redirects", 71],
    ["answers 500", "answers_error", 71],
    ["never answers", "no_answer", 71],
    ["closes the connection", "no_answer", 71],
    ["sends a body without end", "not_enforced", 71],
    ["has a certificate for 6 more days", "enforced", 6],
    ["has an expired certificate", "certificate_expired", -3],
    ["has a certificate for another name", "certificate_wrong_name", 71],
    ["has a certificate that signed itself", "certificate_self_signed", 71],
    ["has an odd address", "enforced", 71],
  ]);
  expect(statSync(receivers.caFile).mode & 0o777).toBe(0o600);
});
