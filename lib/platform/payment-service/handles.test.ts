import { fromSource } from "@/lib/cli/programs.mjs";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import { startFaultyUpstream } from "@/e2e/faulty-upstream/server";
import { startServices } from "@/lib/platform/payment-service/testing/harness";

it.runIf(isThorough)(
  "leaves no timer and no socket behind, whatever came of the calls",
  async () => {
    const { upstream, close } = await startServices();
    upstream.setPlan({
      rules: [{ kind: "list", prefix: "hangs", action: { apply: "never", ending: "hang" } }],
    });
    // A TLS handshake without an answer.
    const silent = await startFaultyUpstream();
    silent.setPlan({ rules: [], connections: "hang" });
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      ...fromSource("lib/platform/payment-service/testing/calls-once-program.ts"),
      upstream.url,
      silent.url.replace("http:", "https:"),
    ]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({ ok: [true, true, false, false, false, false], alive: [] });
    await silent.close();
    await close();
  },
);
