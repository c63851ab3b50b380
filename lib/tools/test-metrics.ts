import { Failure, runProgram } from "@/lib/cli/failure";
import { root } from "@/lib/cli/root";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";

/** What the program ends with where this machine cannot show it. */
const notShown = 3;

const answer = z.object({ data: z.object({ result: z.array(z.unknown()) }) });

/**
 * `npm run test:metrics -- [http://127.0.0.1:9090]`: checks and tests the alert rules with Prometheus's own tool; and
 * with the address of a Prometheus that scrapes a running Gancho, runs every query of the dashboard, which has to find
 * something. The ordinary tests check names and labels (lib/platform/metrics).
 */
await runProgram("The metrics are not as they should be", async () => {
  const folder = path.join(root, "deploy", "prometheus");
  for (const args of [
    ["check", "rules", "alerts.yml"],
    ["test", "rules", "alerts-test.yml"],
  ]) {
    const { error, status } = spawnSync("promtool", args, { cwd: folder, stdio: "inherit" });
    if (error) {
      process.exitCode = notShown;
      throw new Failure("there is no promtool here: install Prometheus");
    }
    if (status !== 0) throw new Failure(`promtool ${args.join(" ")} failed`);
  }
  const [prometheus] = process.argv.slice(2);
  if (prometheus === undefined) return;
  const queries = dashboardQueries();
  const empty: string[] = [];
  for (const query of queries) {
    const url = new URL("/api/v1/query", prometheus);
    url.searchParams.set("query", query);
    const { data } = answer.parse(await (await fetch(url)).json());
    if (data.result.length === 0) empty.push(query);
  }
  if (empty.length > 0) throw new Failure("these queries of the dashboard find nothing:", ...empty);
  console.log(`all ${queries.length} queries of the dashboard find something`);
});

/** As the dashboard sends them, with the initial values of its variables. */
function dashboardQueries(): string[] {
  const file = path.join(root, "deploy", "grafana", "gancho.json");
  const variables = { job: "gancho", environment: ".*", __rate_interval: "1m" };
  return [...readFileSync(file, "utf8").matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
    ([, text = '""']) =>
      Object.entries(variables).reduce(
        (query, [name, value]) => query.replaceAll(`$${name}`, value),
        String(JSON.parse(text)),
      ),
  );
}
