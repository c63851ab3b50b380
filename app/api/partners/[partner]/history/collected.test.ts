import { fromSource } from "@/lib/cli/programs.mjs";
import { newPartner, newPerson, startHistoryWorld } from "@/lib/history/testing/history-world";
import { db } from "@/lib/platform/database/open";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { beforeAll, expect, it } from "vitest";
import { GET } from "./route";

type Entry = { chain?: string; seq: number; id: string; seal: string; kind: string };

let partner: string;
let port: number;

beforeAll(async () => {
  await startHistoryWorld();
  partner = await newPartner();
  const server = createServer(async (request, response) => {
    const url = `http://${request.headers.host}${request.url}`;
    const answer = await GET(new Request(url), { params: Promise.resolve({ partner }) });
    response.writeHead(answer.status).end(await answer.bytes());
  });
  port = await listenHere(server);
});

/** Runs a program that records entries, and returns those that it logs. */
async function logged(...words: string[]): Promise<Entry[]> {
  const { stdout, signal } = spawnSync(
    process.execPath,
    [...fromSource("lib/history/testing/record-program.ts"), partner, ...words],
    { env: { ...process.env, LOG_LEVEL: "info" }, stdio: ["ignore", "pipe", "inherit"] },
  );
  expect(signal).toBe(words.includes("killed") ? "SIGKILL" : null);
  const lines = stdout.toString().trim().split("\n");
  return lines.flatMap((line) => (JSON.parse(line) as { audit?: Entry }).audit ?? []);
}

async function exportedAfter(after: number | string): Promise<Response> {
  const query = `format=json&show=every&after=${after}`;
  return fetch(`http://127.0.0.1:${port}/api/partners/${partner}/history?${query}`);
}

it("a collector gets every entry once, from log lines and an export after a gap, even if a process was killed between commit and log line", async () => {
  const lines = [...(await logged("3", "killed")), ...(await logged("2"))];
  expect(lines.map(({ seq }) => seq)).toEqual([1, 2, 3, 5, 6]);
  expect(lines[0]).toEqual({
    chain: partner,
    seq: 1,
    kind: "save_shown",
    id: expect.any(String) as string,
    seal: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  signInAs(await newPerson(partner, "viewer"));
  const { entries } = (await (await exportedAfter(3)).json()) as { entries: Entry[] };
  // The lines after the gap match the export.
  for (const { id, seq, seal, kind } of lines.slice(3))
    expect(entries).toContainEqual(expect.objectContaining({ id, seq, seal, kind }));
  const recorded = db().selectFrom("history").select(["id", "seq", "mac as seal"]);
  const collected = [...lines.slice(0, 3), ...entries.toReversed()];
  expect(collected.map(({ id, seq, seal }) => ({ id, seq, seal }))).toEqual(
    await recorded.where("partner_id", "=", partner).orderBy("seq").execute(),
  );
  expect(await (await exportedAfter(6)).json()).toMatchObject({ entries: [] });
});

it.each(["-1", "x", "1.5"])("refuses an export after position %s", async (after) => {
  signInAs(await newPerson(partner, "viewer"));
  expect((await exportedAfter(after)).status).toBe(422);
});
