import { randomUUID } from "node:crypto";
import { canary } from "@/e2e/canaries/canary";
import type { Plan } from "@/e2e/faulty-upstream/plan";
import { directService } from "@/e2e/fixtures/direct-service";
import { faultList, type NamedFault } from "./fault-list";
import { type Installation, type Lane, type Running, inLanes } from "./installation";
import { type SoakPartner, held } from "./partner";
import { spread, tally, type Report } from "./report";
import { checkEnds, type Sent } from "./ends";
import { appliedWrites, bothTypes, checkAnswer, checkAnswered } from "./truth";

const calls = ["token", "list", "register"] as const;
type Case = { call: (typeof calls)[number]; fault: NamedFault; apply: "as given" | "first" };

/** Every fault in every call, during a read and a save: compares each report with what the service holds. */
export async function faults(installation: Installation, report: Report): Promise<void> {
  const gancho = await installation.start();
  const cases: Case[] = calls.flatMap((call) =>
    faultList.flatMap((fault) => [
      { call, fault, apply: "as given" as const },
      // The same fault after the write was applied.
      ...(call === "register" && !fault.connections
        ? [{ call, fault, apply: "first" as const }]
        : []),
    ]),
  );
  const ms: number[] = [];
  const codes: string[] = [];
  const sent: Sent[] = [];
  await inLanes(installation.lanes, cases, async (one, lane) => {
    const { answers, save } = await runCase(installation, gancho, one, lane, report);
    sent.push(save);
    ms.push(...answers.map((answer) => answer.ms));
    codes.push(...answers.map((answer) => answer.code ?? "ok"));
  });
  await checkEnds(installation, gancho, report, sent);
  report.figure("faults", faultList.length);
  report.figure("cases (fault, call, applied or not)", cases.length);
  report.figure("answers of Gancho", codes.length);
  report.figure("unclassified", codes.filter((code) => code === "internal_error").length);
  report.figure("time to an answer, ms", spread(ms));
  report.figure("answers", tally(codes));
  await gancho.stop();
}

async function runCase(
  installation: Installation,
  gancho: Running,
  { call, fault, apply }: Case,
  lane: Lane,
  report: Report,
) {
  const what = `${fault.name} on ${call}${apply === "first" ? ", applied" : ""}`;
  const [person] = installation.people;
  const { upstream } = lane;
  upstream.setPlan({ rules: [] });
  // A read would leave a token behind; with nothing registered, the revision is known without one.
  const saver =
    call === "token"
      ? { partner: await installation.partner(lane), revision: null }
      : await registered(installation, gancho, lane);
  const reader = call === "register" ? null : await registered(installation, null, lane);

  const action = apply === "first" ? { ...fault.action, apply } : fault.action;
  const plan: Plan = {
    rules: [{ kind: call, action }],
    ...(fault.connections && { connections: fault.connections }),
  };
  upstream.setPlan(plan);
  const url = "https://requested.example/hook";
  const saveRequest = {
    type: "both" as const,
    url,
    revision: saver.revision,
    authorization: { action: "replace" as const, value: canary("authorization", "requested") },
    operation: randomUUID(),
  };
  const [saved, read] = await Promise.all([
    gancho.save(person, saver.partner, saveRequest),
    reader && gancho.read(person, reader.partner),
  ]);
  const writes = appliedWrites(upstream);
  upstream.setPlan({ rules: [] });
  const after = await held(installation.sandboxUrl, saver.partner);

  const status = fault.action.answer?.status ?? 200;
  checkAnswer(report, `save, ${what}`, saved, { url, after });
  // A 401 means that nothing was done, so it is the one answer after which a write is sent again.
  const allowed = status === 401 ? 2 : 1;
  report.check(writes <= allowed, () => `${what}: ${writes} writes applied for one click`);
  const save = { what, partner: saver.partner, operation: saveRequest.operation, url };
  if (!read) return { answers: [saved], save };
  checkAnswered(report, `read, ${what}`, read);
  const shown = read.configuration;
  if (shown && !shown.stale && status !== 404)
    report.check(
      bothTypes.every((type) => shown.webhooks.some((webhook) => webhook.type === type)),
      () => `read, ${what}: shows as registered only ${JSON.stringify(shown.webhooks)}`,
    );
  return { answers: [saved, read], save };
}

/** A partner with both types registered; with `gancho`, which has read it once and has a token for it. */
async function registered(
  installation: Installation,
  gancho: Running | null,
  lane: Lane,
): Promise<{ partner: SoakPartner; revision: string | null }> {
  const partner = await installation.partner(lane);
  const client = { client_id: partner.id, client_secret: partner.secret };
  await directService(client, installation.sandboxUrl).register({
    url: "https://before.example/hook",
    authorization: canary("authorization", "before"),
  });
  const seen = gancho && (await gancho.read(installation.people[0], partner));
  return { partner, revision: seen?.configuration?.revision ?? null };
}
