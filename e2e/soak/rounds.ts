import { canary } from "@/e2e/canaries/canary";
import { type Engine, type Installation, type Lane, inLanes } from "./installation";
import type { Sizes } from "./main";
import { type SoakPartner, held } from "./partner";
import { spread, tally, type Report } from "./report";
import { checkAnswered } from "./truth";

/** Two people save at once what they opened at once; on PostgreSQL each through a separate dashboard. */
export async function rounds(
  installation: Installation,
  report: Report,
  sizes: Sizes,
  engine: Engine,
): Promise<void> {
  const first = await installation.start();
  const second = engine === "postgres" ? await installation.start() : first;
  const [ana, bruno] = installation.people;
  const inUse = new Map<Lane, SoakPartner>();
  const ends: string[] = [];
  const ms: number[] = [];

  const numbers = Array.from({ length: Math.ceil(sizes.rounds / 2) }, (_, i) => i);
  await inLanes(installation.lanes, numbers, async (round, lane) => {
    const partner = inUse.get(lane) ?? (await installation.partner(lane));
    inUse.set(lane, partner);
    const revision = (await first.read(ana, partner)).configuration?.revision ?? null;
    const saveRequest = (name: string) => ({
      type: "both" as const,
      url: `https://${name}.example/${round}`,
      revision,
      authorization: { action: "replace" as const, value: canary("authorization", name) },
    });
    const [hers, his] = await Promise.all([
      first.save(ana, partner, saveRequest("ana")),
      second.save(bruno, partner, saveRequest("bruno")),
    ]);
    const is = (await held(installation.sandboxUrl, partner)).get("pix_in");
    const reported = [
      { answer: hers, saveRequest: saveRequest("ana").url },
      { answer: his, saveRequest: saveRequest("bruno").url },
    ];
    for (const { answer, saveRequest: url } of reported) {
      checkAnswered(report, `round ${round}`, answer);
      report.check(
        answer.status === 409 || (answer.result?.outcome === "saved" && is === url),
        () =>
          `round ${round}: said ${answer.code ?? answer.result?.outcome} of ${url}, the service holds ${is}`,
      );
    }
    ends.push(
      reported
        .map(({ answer }) => answer.code ?? answer.result?.outcome ?? "none")
        .sort()
        .join(" + "),
    );
    ms.push(hers.ms, his.ms);
  });

  report.figure("rounds of two people saving at once", ends.length);
  report.figure("dashboards", first === second ? 1 : 2);
  report.figure("how they ended", tally(ends));
  report.figure("time to an answer, ms", spread(ms));
}
