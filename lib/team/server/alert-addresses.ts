import "server-only";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { requireId, type PartnerAccess } from "@/lib/platform/access/require";
import { endAlertAddresses } from "@/lib/platform/auth/end-alert-addresses";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { hashOf, newToken } from "@/lib/platform/auth/one-time-token";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { db, type Executor } from "@/lib/platform/database/open";
import { lockPartner } from "@/lib/platform/database/row-locks";
import { env } from "@/lib/platform/env/env";
import { fieldRefused, ProblemError } from "@/lib/platform/http/model/problem";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { mailLocales, type Locale } from "@/lib/platform/i18n/model/locale";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { enforceLimits } from "@/lib/platform/limits/limits";
import type { LinkDelivery } from "@/lib/platform/mail/model/link-delivery";
import { deliver, withoutLinks } from "@/lib/platform/mail/send-mail";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import {
  mostAlertAddresses,
  type AlertAddress,
  type ConfirmedAddress,
} from "@/lib/team/model/team";
import { randomUUID } from "node:crypto";
import { createTranslator } from "use-intl/core";

/** Long enough for a weekend, milliseconds. */
const lifeMs = 72 * 60 * 60_000;

/** As for invitations: Gancho sends the mail to a typed address. */
const anHour = { most: 30, seconds: 60 * 60 };

/** The partner's alert addresses, as its admins see them. Checks no access. */
export async function alertAddressesOf(
  executor: Executor,
  partnerId: string,
): Promise<AlertAddress[]> {
  const rows = await executor
    .selectFrom("alert_addresses")
    .select(["id", "address", "added_by_id", "expires_at", "confirmed_at", "failing_since"])
    .where("partner_id", "=", partnerId)
    .orderBy("address")
    .execute();
  const nameOf = await distinctNames(
    executor,
    partnerId,
    rows.map((row) => row.added_by_id),
  );
  return rows.map(({ id, address, added_by_id, expires_at, confirmed_at, failing_since }) => ({
    id,
    address,
    addedBy: { id: added_by_id, name: nameOf(added_by_id) },
    state:
      confirmed_at !== null ? "confirmed" : expires_at <= databaseTime() ? "expired" : "waiting",
    failingSince: failing_since === null ? null : new Date(failing_since).toISOString(),
  }));
}

/**
 * Adds an address that gets what admins get about the partner's webhooks, once somebody who reads it has confirmed that
 * by the mailed link. The same address again gets a new link, unless it is confirmed. Throws the problems of
 * `requireStepUp`, `invalid_fields` for a confirmed one or a sixth, or `too_many_requests`.
 */
export async function addAlertAddress(
  access: PartnerAccess<"team.write">,
  address: string,
  context: RequestContext,
): Promise<{ mail: LinkDelivery }> {
  await requireStepUp(access);
  const { partner } = access;
  await enforceLimits([{ key: `alert addresses of ${partner.id}`, ...anHour }]);
  const token = newToken();
  await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      await lockPartner(trx, partner.id);
      const there = await alertAddressesOf(trx, partner.id);
      const same = there.find((each) => each.address === address);
      if (same?.state === "confirmed") throw fieldRefused("address", "taken");
      if (!same && there.length >= mostAlertAddresses) throw fieldRefused("address", "too_many");
      const values = {
        token_hash: hashOf(token),
        expires_at: databaseTime() + lifeMs,
        added_by_id: access.viewer.id,
      };
      if (same) {
        await trx.updateTable("alert_addresses").set(values).where("id", "=", same.id).execute();
        return;
      }
      const row = { id: randomUUID(), partner_id: partner.id, address, ...values };
      await trx.insertInto("alert_addresses").values(row).execute();
      await recordHistory(trx, {
        ...entryBase(access, context),
        kind: "alert_address_added",
        detail: { address },
      });
    });
  const link = new URL(`/alert-address#${token}`, env().url).href;
  const mail = await deliver(() => ({ to: address, ...confirmationText(partner.name, link) }), {
    kind: "alert_address",
    requestId: context.requestId,
  });
  return { mail };
}

/** Who reads the mailbox speaks an unknown language. Plain text, so that names cannot become links or pictures. */
function confirmationText(partner: string, link: string) {
  const written = mailLocales(null, env().defaultLocale).map((locale) => inOne(locale));
  function inOne(locale: Locale) {
    const messages = messagesByLocale[locale];
    const t = createTranslator({ locale, messages, namespace: "mail.alertAddress" });
    const about = { partner: withoutLinks(partner), product: env().brand.name };
    const lines = [t("text", about), t("open"), link, t("once"), t("unexpected")];
    return { subject: t("subject", about), text: lines.join("\n\n") };
  }
  return {
    subject: written.map(({ subject }) => subject).join(" / "),
    text: written.map(({ text }) => text).join("\n\n—\n\n"),
  };
}

/**
 * Somebody who reads the mailbox confirms that it gets the alerts; a second time changes nothing. Throws `not_found` for
 * an unknown link, and one that is old or was replaced.
 */
export async function confirmAlertAddress(
  token: string,
  { clientAddress, requestId }: RequestContext,
): Promise<ConfirmedAddress> {
  return db()
    .transaction()
    .execute(async (trx) => {
      const row = await trx
        .selectFrom("alert_addresses")
        .innerJoin("partners", "partners.id", "alert_addresses.partner_id")
        .select(["alert_addresses.id", "address", "partner_id", "partners.name as partner"])
        .where("token_hash", "=", hashOf(token))
        .where((eb) =>
          eb.or([eb("confirmed_at", "is not", null), eb("expires_at", ">", databaseTime())]),
        )
        .executeTakeFirst();
      if (!row) throw new ProblemError("not_found", { applied: "no" });
      const { id, address, partner_id: partnerId, partner } = row;
      const confirmed = await trx
        .updateTable("alert_addresses")
        .set({ confirmed_at: databaseTime() })
        .where("id", "=", id)
        .where("confirmed_at", "is", null)
        .executeTakeFirst();
      if (confirmed.numUpdatedRows === 1n)
        await recordHistory(trx, {
          partnerId,
          environment: null,
          types: [],
          actor: null,
          clientAddress,
          requestId,
          outcome: null,
          kind: "alert_address_confirmed",
          detail: { address },
        });
      return { address, partner };
    });
}

/** It gets nothing from then on, also nothing that waits. Throws the problems of `requireStepUp`, or `not_found`. */
export async function removeAlertAddress(
  access: PartnerAccess<"team.write">,
  addressId: string,
  context: RequestContext,
): Promise<void> {
  await requireStepUp(access);
  const id = requireId(addressId);
  await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      const which = { id, partner_id: access.partner.id };
      if ((await endAlertAddresses(trx, which, access.viewer, context)) === 0)
        throw new ProblemError("not_found", { applied: "no" });
    });
}
