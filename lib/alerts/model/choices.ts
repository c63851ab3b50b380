import { code } from "@/lib/platform/http/model/request-fields";
import { locales } from "@/lib/platform/i18n/model/locale";
import * as z from "zod/mini";
import type { AlertChoice } from "./alert";

const choice = z.boolean(code("not_offered"));

/** `PUT /api/account/alerts`: which alerts a person wants by mail, and in which language. */
export const alertSettingsSchema = z.strictObject({
  connection: choice,
  approvals: choice,
  service: choice,
  /** `all`: every language, one below the other. */
  locale: z.enum(["all", ...locales], code("not_offered")),
});
export type AlertSettings = z.infer<typeof alertSettingsSchema>;

/** The settings as a person sees them. */
export type ShownAlertSettings = {
  settings: AlertSettings;
  /** Only the choices that apply to the person; the others stay as they are. */
  offered: AlertChoice[];
  /** Whether mail is set up. */
  mail: boolean;
};
