import { alertSettingsSchema } from "@/lib/alerts/model/choices";
import { changeAlertSettings } from "@/lib/alerts/server/settings";
import { requireOwnAccount } from "@/lib/platform/access/require";
import { routes, write } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.alerts", {
  PUT: write({
    access: requireOwnAccount,
    body: () => alertSettingsSchema,
    handle: ({ access, body }) => changeAlertSettings(access, body),
  }),
});
