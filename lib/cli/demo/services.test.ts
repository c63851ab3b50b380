import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { createServer } from "node:http";
import { expect, it, vi } from "vitest";
import { openLogFile, startSandbox } from "./services";

it("takes no stranger on the port for the sandbox (threat: the demo fills another one's service)", async () => {
  const asked: unknown[] = [];
  const stranger = createServer((request, response) => {
    asked.push(request.url);
    response.end("{}");
  });
  const port = await listenHere(stranger);
  const folder = newFolder();
  vi.stubEnv("SANDBOX_PORT", String(port));
  vi.stubEnv("GANCHO_DATA_DIR", folder);
  await expect(startSandbox(openLogFile(folder, "sandbox"))).rejects.toThrow(
    "the sandbox stopped unexpectedly (1)",
  );
  expect(asked).toEqual([]);
});
