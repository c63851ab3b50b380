import type { Engine, Installation, Lane, Running } from "./installation";
import type { Sizes } from "./options";
import type { SoakPartner } from "./partner";
import { spread, type Report } from "./report";

/** Longer than any token lives. */
const pastEveryToken = 2 * 60 * 60_000;

/** How often credentials are exchanged when many callers need a token at once; on PostgreSQL through two dashboards. */
export async function tokens(
  installation: Installation,
  report: Report,
  sizes: Sizes,
  engine: Engine,
): Promise<void> {
  const [lane] = installation.lanes;
  if (!lane) return;
  const dashboards = [await installation.start()];
  if (engine === "postgres") dashboards.push(await installation.start());
  report.figure("dashboards", dashboards.length);

  const partner = await installation.partner(lane);
  await exchanges(installation, report, {
    lane,
    dashboards,
    partners: [partner],
    callers: dashboards.length,
  });
  installation.serviceClockJumps(pastEveryToken);
  const expired = await exchanges(installation, report, {
    lane,
    dashboards,
    partners: [partner],
    callers: sizes.callers,
  });
  report.figure(`exchanges for ${sizes.callers} callers with an expired token`, expired);
  report.check(expired === 1, () => `${expired} exchanges instead of 1`);

  const partners: SoakPartner[] = [];
  for (let i = 0; i < sizes.partners; i += 1) partners.push(await installation.partner(lane));
  const each = await exchanges(installation, report, {
    lane,
    dashboards,
    partners,
    callers: sizes.callers,
  });
  report.figure(`exchanges for ${sizes.callers} callers of ${sizes.partners} partners`, each);
  report.check(each === sizes.partners, () => `${each} exchanges instead of ${sizes.partners}`);
}

type Run = { lane: Lane; dashboards: Running[]; partners: SoakPartner[]; callers: number };

async function exchanges(
  { people: [person] }: Installation,
  report: Report,
  { lane, dashboards, partners, callers }: Run,
): Promise<number> {
  lane.upstream.setPlan({ rules: [] });
  const ms: number[] = [];
  const calls = Array.from({ length: callers }, async (_, i) => {
    const dashboard = dashboards[i % dashboards.length];
    const partner = partners[i % partners.length];
    if (!dashboard || !partner) return;
    const answer = await dashboard.read(person, partner);
    ms.push(answer.ms);
    report.check(answer.status === 200, () => `caller ${i}: ${answer.code}`);
  });
  await Promise.all(calls);
  report.figure(`time to an answer for ${callers} at once, ms`, spread(ms));
  return lane.upstream.counts().token;
}
