import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { runCheck } from "@/lib/endpoint-check/server/run";
import { hostList } from "@/lib/platform/egress/address";
import type { EgressRules } from "@/lib/platform/egress/egress";
import { Secret } from "@/lib/platform/runtime/secret";
import { generateAuthorization } from "@/lib/webhooks/model/rules/authorization-value";
import { freePort } from "@/e2e/installation/free-port";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { expect, it } from "vitest";
import { demoReceivers, demoValue, startReceivers } from "./receivers";

const about = { partner: "aurora", environment: "production", type: "pix_in" } as const;

it("can rotate to a generated value with no downtime, and refuses the old one at the end, and any value of another partner", async () => {
  const port = await freePort();
  const receivers = await startReceivers(port, newFolder());
  const rules: EgressRules = {
    deny: hostList([]),
    proxy: null,
    loopbackPort: port,
    ca: readFileSync(receivers.caFile, "utf8"),
  };
  const [url] = demoReceivers(port)[0] ?? [""];
  const verdictFor = async (value: string, partner = "aurora") => {
    const subject = { url, value: new Secret(value), withheld: null };
    return (await runCheck({ ...about, partner }, subject, rules)).verdict;
  };
  const [next, others] = [generateAuthorization(), generateAuthorization()];
  const verdicts = [];
  for (let times = 0; times < 2; times += 1) verdicts.push(await verdictFor(others, "tiete"));
  for (const value of ["Bearer guess", next, demoValue, next, demoValue])
    verdicts.push(await verdictFor(value));
  await receivers.close();
  expect(verdicts).toEqual([
    // Another partner's check teaches it nothing.
    "refuses_with",
    "refuses_with",
    "refuses_with",
    "accepts_only_with",
    "accepts_only_with",
    // Saved, and in use: the old one is gone.
    "accepts_only_with",
    "refuses_with",
  ]);
});

it("has an address for every outcome that the demo promises, on this machine and nowhere else", async () => {
  const port = await freePort();
  const folder = newFolder();
  const receivers = await startReceivers(port, folder);
  // As in the demo, where Gancho, the sandbox and the database are on this machine, too.
  const rules: EgressRules = {
    deny: hostList(["localhost", "127.0.0.1"]),
    proxy: null,
    loopbackPort: port,
    ca: readFileSync(receivers.caFile, "utf8"),
    limits: { exchangeMs: 1_500 },
  };
  const found = [];
  const odd = [`https://hooks.localhost:${port}//`, "has an odd address"] as const;
  for (const [url, does] of [...demoReceivers(port), odd]) {
    const subject = { url, value: new Secret(demoValue), withheld: null };
    const { verdict, tls } = await runCheck(about, subject, rules);
    found.push([does, tls?.failure ?? verdict, tls?.certificate?.daysLeft]);
  }
  await receivers.close();
  expect(found).toEqual([
    ["requires the registered value, and adopts a newly generated one", "accepts_only_with", 71],
    ["requires a value once Tietê Pagamentos has generated one", "refuses_with", 71],
    ["requires the value of production", "refuses_with", 71],
    ["accepts everything, and has a certificate for 6 more days", "accepts_without", 6],
    ["refuses every value", "refuses_with", 71],
    ["redirects", "redirects", 71],
    ["answers 500", "answers_error", 71],
    ["never answers", "no_answer", 71],
    ["closes the connection", "no_answer", 71],
    ["sends a body without end", "accepts_without", 71],
    ["has a certificate for 6 more days", "accepts_only_with", 6],
    ["has an expired certificate", "certificate_expired", -3],
    ["has a certificate for another name", "certificate_wrong_name", 71],
    ["has a certificate that signed itself", "certificate_self_signed", 71],
    ["has an odd address", "accepts_only_with", 71],
  ]);
  expect(statSync(receivers.caFile).mode & 0o777).toBe(0o600);
});

it("says that its port is taken by somebody else", async () => {
  const port = await listenHere(createServer());
  await expect(startReceivers(port, newFolder())).rejects.toThrow(`port ${port} is taken`);
});
