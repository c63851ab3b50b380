import type { Executor } from "@/lib/platform/database/open";
import { demoValue, livePath, liveValue } from "@/lib/cli/demo/receivers";
import type { PartnerRole, StaffRole } from "@/lib/platform/access/model/roles";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";

/** A database with the marker `demo` has people with a public password. */
type Marker = "demo" | "demo-story";

export async function hasMarker(db: Executor, name: Marker): Promise<boolean> {
  const row = await db
    .selectFrom("markers")
    .select("name")
    .where("name", "=", name)
    .executeTakeFirst();
  return row !== undefined;
}

export async function setMarker(db: Executor, name: Marker): Promise<void> {
  await db
    .insertInto("markers")
    .values({ name, done_at: Date.now() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}

/** The demo's partners; each id is also the client id for the sandbox. */
export const demoPartners = [
  { id: "aurora", name: "Loja Aurora" },
  { id: "mercado", name: "Mercado Central" },
  { id: "tiete", name: "Tietê Pagamentos" },
] as const;

export type DemoPerson = { email: string; name: string } & (
  { partner: (typeof demoPartners)[number]["id"]; role: PartnerRole } | { staffRole: StaffRole }
);

export const demoPeople: readonly DemoPerson[] = [
  { email: "admin@aurora.example", name: "Marina Castro", partner: "aurora", role: "admin" },
  { email: "admin2@aurora.example", name: "Lúcia Prado", partner: "aurora", role: "admin" },
  { email: "editor@aurora.example", name: "Rafael Nunes", partner: "aurora", role: "editor" },
  { email: "viewer@aurora.example", name: "Bianca Lopes", partner: "aurora", role: "viewer" },
  { email: "admin@mercado.example", name: "Tiago Ferreira", partner: "mercado", role: "admin" },
  { email: "admin@tiete.example", name: "Helena Duarte", partner: "tiete", role: "admin" },
  { email: "support@gancho.example", name: "Paula Azevedo", staffRole: "support" },
  { email: "operator@gancho.example", name: "Otávio Reis", staffRole: "operator" },
];

/** The environment in which the demo tells a story; in the other one nothing happens by itself. */
export const demoProduction = "production";

/** The registration by another client of the API while the demo starts, and Rafael's proposal. */
export const demoStory = {
  outside: "https://hooks.lojaaurora-pagamentos.example/pix",
  proposed: "https://pix.lojaaurora.example/recebidos",
  note: "Moving Pix in to the new gateway",
} as const;

/**
 * The first saves, by each partner's admin: addresses of the demo's receivers, others in production than in tests. The
 * first has a value, which proves that the list shows it.
 */
export function demoWebhooks(
  receiversPort: number,
  environment: string,
): Record<string, Omit<SaveRequest, "revision">> {
  const isProduction = environment === demoProduction;
  return {
    aurora: {
      type: "both",
      url: `https://hooks.lojaaurora.localhost:${receiversPort}${isProduction ? livePath : "/pix"}`,
      authorization: { action: "replace", value: isProduction ? liveValue : demoValue },
    },
    mercado: {
      type: "pix_in",
      url: `https://notificacoes.mercadocentral.localhost:${receiversPort}/open${isProduction ? "" : "?test=1"}`,
      authorization: { action: "remove" },
    },
  };
}
