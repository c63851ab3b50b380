import "server-only";
import { alertChoices, type AlertChoice } from "@/lib/alerts/model/alert";
import type { AlertSettings, ShownAlertSettings } from "@/lib/alerts/model/choices";
import type { OwnAccount } from "@/lib/platform/access/require";
import type { SignedIn } from "@/lib/platform/access/viewer";
import { db } from "@/lib/platform/database/open";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { env } from "@/lib/platform/env/env";
import { locales } from "@/lib/platform/i18n/model/locale";

/** The person's own settings. */
export async function readAlertSettings({ viewer }: SignedIn): Promise<ShownAlertSettings> {
  const off = db().selectFrom("alerts_off").select("choice").where("user_id", "=", viewer.id);
  const without = new Set((await off.execute()).map(({ choice }) => choice));
  const user = db().selectFrom("users").select("locale").where("id", "=", viewer.id);
  const { locale } = await user.executeTakeFirstOrThrow();
  const wanted = (choice: AlertChoice) => !without.has(choice);
  return {
    settings: {
      connection: wanted("connection"),
      approvals: wanted("approvals"),
      service: wanted("service"),
      locale: locales.find((known) => known === locale) ?? "all",
    },
    offered: offeredTo(viewer),
    mail: env().mail !== null,
  };
}

/** Alerts about partners are for members, those about the service for people who run the installation. */
function offeredTo({ staffRole }: SignedIn["viewer"]): AlertChoice[] {
  if (staffRole === null) return ["connection", "approvals"];
  return staffRole === "operator" ? ["service"] : [];
}

/** Applies to events from now on. */
export async function changeAlertSettings(
  { viewer }: OwnAccount,
  { locale, ...settings }: AlertSettings,
): Promise<void> {
  const off = alertChoices.filter((choice) => !settings[choice]);
  await db()
    .transaction()
    .execute(async (trx) => {
      await lockPerson(trx, viewer.id);
      await trx.updateTable("users").set({ locale }).where("id", "=", viewer.id).execute();
      await trx.deleteFrom("alerts_off").where("user_id", "=", viewer.id).execute();
      if (off.length > 0)
        await trx
          .insertInto("alerts_off")
          .values(off.map((choice) => ({ user_id: viewer.id, choice })))
          .execute();
    });
}
