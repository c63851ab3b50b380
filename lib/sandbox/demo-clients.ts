import type { SandboxClient } from "./client-list";

/**
 * The clients of a sandbox that was given none: the demo's partners. Their secrets are public on purpose, and say so.
 */
export const demoClients = [
  { client_id: "aurora", client_secret: "gancho-demo-only-aurora" },
  { client_id: "mercado", client_secret: "gancho-demo-only-mercado" },
  { client_id: "tiete", client_secret: "gancho-demo-only-tiete" },
] as const satisfies readonly SandboxClient[];
