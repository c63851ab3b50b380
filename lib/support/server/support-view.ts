import "server-only";
import type { Transaction } from "kysely";
import type { Database } from "@/lib/platform/database/tables";
import type { SupportView } from "@/lib/platform/access/support-view";
import { recheckStaffRole } from "@/lib/platform/access/recheck-role";
import {
  type StaffAccessTo,
  requireEnvironment,
  type PartnerAccess,
} from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import { randomUUID } from "node:crypto";
import type { ShownSupportView, SupportViewRequest } from "@/lib/support/model/support-view";
import { env } from "@/lib/platform/env/env";
import { mainEnvironment } from "@/lib/platform/env/main-environment";
import { safeRedirectPath } from "@/lib/platform/http/model/safe-redirect-path";
import { readLines } from "@/lib/partners/server/list/list";
import { countLongReading } from "@/lib/platform/limits/limits";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { attentionOf } from "@/lib/attention/server/attention";
import type { AttentionItem } from "@/lib/attention/model/answer";
import packageJson from "@/package.json";

/** Milliseconds. After that, support gives a reason again. */
const viewMs = 30 * 60_000;

/**
 * Lets a support person view a partner, read-only, in this session, and records it in the partner's own history. An open
 * view ends.
 */
export async function openSupportView(
  access: StaffAccessTo<"support_view.open">,
  { reason }: SupportViewRequest,
  context: RequestContext,
): Promise<ShownSupportView> {
  const { viewer, partner, session } = access;
  const startedAt = databaseTime();
  const view = { id: randomUUID(), partner, reason, expiresAt: startedAt + viewMs };
  await db()
    .transaction()
    .execute(async (trx) => {
      await recheckStaffRole(trx, access);
      await endViews(trx, access, context);
      await trx
        .insertInto("support_views")
        .values({
          id: view.id,
          user_id: viewer.id,
          partner_id: partner.id,
          session_id_hash: session.idHash,
          reason,
          started_at: startedAt,
          expires_at: view.expiresAt,
          ended_at: null,
        })
        .execute();
      await recordHistory(trx, {
        ...entryBase(access, context),
        kind: "support_view_opened",
        detail: { viewId: view.id, reason, expiresAt: view.expiresAt },
      });
    });
  return presentView(view);
}

/** Ends the person's view of this partner early; does nothing where none is open. */
export async function endSupportView(
  access: StaffAccessTo<"support_view.open">,
  context: RequestContext,
): Promise<void> {
  await db()
    .transaction()
    .execute((trx) => endViews(trx, access, context));
}

/** Ends the person's open views of the partner, and records each. */
async function endViews(
  trx: Transaction<Database>,
  access: StaffAccessTo<"support_view.open">,
  context: RequestContext,
): Promise<void> {
  const now = databaseTime();
  const ended = await trx
    .updateTable("support_views")
    .set({ ended_at: now })
    .where("user_id", "=", access.viewer.id)
    .where("partner_id", "=", access.partner.id)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .returning("id")
    .execute();
  for (const { id } of ended)
    await recordHistory(trx, {
      ...entryBase(access, context),
      kind: "support_view_ended",
      detail: { viewId: id },
    });
}

export function presentView(view: SupportView): ShownSupportView {
  return {
    partner: view.partner,
    reason: view.reason,
    secondsLeft: Math.max(0, Math.ceil((view.expiresAt - databaseTime()) / 1_000)),
  };
}

/**
 * Where to go once a view is open: the requested page of this partner, else its webhooks. It comes from an address, so
 * it leads nowhere else.
 */
export function supportDestination(
  partnerId: string,
  wanted: string | string[] | undefined,
): string {
  const path = typeof wanted === "string" ? safeRedirectPath(wanted, env().url.origin) : "/";
  const home = `/partners/${partnerId}/`;
  const isPage = path.startsWith(home) && !path.startsWith(`${home}support-view`);
  return isPage ? path : `${home}${mainEnvironment()}/webhooks`;
}

/**
 * What the list of partners shows about this one, as plain text to paste into a ticket: no secret, and only hosts of
 * addresses. Does not call the service. In English on purpose: its readers run Gancho. Throws `not_found` and
 * `too_many_requests`.
 */
export async function diagnose(
  { partner, viewer, role }: PartnerAccess<"webhooks.read">,
  environmentName: string,
  requestId: string,
): Promise<string> {
  await countLongReading("diagnoses", { person: viewer.id });
  const { name: environment, baseUrl } = requireEnvironment(environmentName);
  const [line] = await readLines(db(), { environment, baseUrl }, [partner.id]);
  const { hosts, withoutAuthorization = [], failing, checkedAt } = line ?? {};
  const registered = webhookTypes.map((type) => {
    const host = hosts?.[type];
    if (!host) return `${type}: ${host === null ? "not registered" : "not known"}`;
    const value = withoutAuthorization.includes(type)
      ? "no value was shown"
      : "a value or a mask was shown, or this dashboard saved a value last";
    return `${type}: ${host}, ${value}`;
  });
  const attention = (await attentionOf(db(), new Map([[partner.id, role]]))).get(partner.id);
  const items = attention?.find((each) => each.environment === environment)?.items ?? [];
  return [
    "Diagnosis",
    `partner: ${partner.id} (${partner.name})`,
    `environment: ${environment} (${new URL(baseUrl).host})`,
    `connection: ${line?.connected ? "set up" : "none"}`,
    `last confirmed: ${checkedAt ?? "never"}`,
    ...registered,
    `last fault: ${failing ? `${failing.code} since ${failing.since}, request ${failing.requestId || "not kept"}` : "none seen"}`,
    `needs attention: ${items.length === 0 ? "nothing" : items.map(inBrief).join("; ")}`,
    `request: ${requestId}`,
    `written: ${new Date(databaseTime()).toISOString()}`,
    `version: ${packageJson.version}`,
  ]
    .map((text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " "))
    .join("\n");
}

/** One thing that needs attention, by the names that the code has for it. */
function inBrief({ kind, ...facts }: AttentionItem): string {
  const said = Object.entries(facts).map(([name, value]) => `${name} ${String(value)}`);
  return said.length > 0 ? `${kind} (${said.join(", ")})` : kind;
}
