import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { startProgram } from "./program";

const start = (line: string) =>
  startProgram({
    command: [
      process.execPath,
      "-e",
      `console.log(process.argv[1]); console.log("ready"); setInterval(() => {}, 1000)`,
      line,
    ],
    env: {},
    ready: /^ready$/,
    logFile: path.join(mkdtempSync(path.join(tmpdir(), "gancho-program-")), "log"),
  });

it("fails whoever ends a program that logged an exception that nothing caught, though it went on", async () => {
  const program = await start('{"level":"fatal","msg":"an exception that nothing caught"}');
  await expect(program.stop()).rejects.toThrow("an exception that nothing caught");
  await (await start('{"level":"error"}')).stop();
});
