import { type SandboxClient, readClientsFile, demoClients } from "@/lib/sandbox/client-list";
import { Failure } from "@/lib/cli/failure";

/** The sandbox's clients, by id: those of the file of SANDBOX_CLIENTS where it is set, else the demo's. */
export function sandboxClients(file: string | null): ReadonlyMap<string, SandboxClient> {
  const clients: readonly SandboxClient[] = file === null ? demoClients : read(file);
  return new Map(clients.map((client) => [client.client_id, client]));
}

function read(file: string): readonly SandboxClient[] {
  const list = readClientsFile(file);
  if (list.ok) return list.clients;
  throw new Failure(...list.problems.map((problem) => `SANDBOX_CLIENTS ${file} ${problem}`));
}
