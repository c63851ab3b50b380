import { onTestFinished } from "vitest";
import { startSandbox, type Sandbox, type SandboxOptions } from "@/lib/sandbox/start";

export const client = { client_id: "partner", client_secret: "s3cret" };

/** A sandbox with one client, closed when the test ends. */
export async function startForTest(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ clients: [client], ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}
