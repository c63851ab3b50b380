import type { SandboxClient } from "./client-list";

/**
 * The clients of a sandbox that was given none: the demo's partners. Their secrets are public on purpose, and say so.
 */
export const demoClients = [
  { client_id: "aurora", client_secret: "gancho-demo-only-aurora" },
  { client_id: "mercado", client_secret: "gancho-demo-only-mercado" },
  { client_id: "tiete", client_secret: "gancho-demo-only-tiete" },
  // As whom they are in production, which in the demo is the same sandbox.
  { client_id: "aurora-live", client_secret: "gancho-demo-only-aurora-live" },
  { client_id: "mercado-live", client_secret: "gancho-demo-only-mercado-live" },
] as const satisfies readonly SandboxClient[];
