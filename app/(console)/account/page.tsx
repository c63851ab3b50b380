import { consolePage } from "@/app/(console)/_page/console-page";
import { AccountScreen } from "@/components/account/account-screen";
import { knownTheme, themeCookie } from "@/components/layout/preferences/theme";
import { readAccount } from "@/lib/account/server/account";
import { requireSignedIn } from "@/lib/platform/access/require";
import { preferenceIn } from "@/lib/platform/i18n/model/preference-cookie-name";
import { cookies } from "next/headers";

const { generateMetadata, Page } = consolePage({
  title: "account",
  path: () => "/account",
  access: requireSignedIn,
  load: async ({ access }) => (
    <AccountScreen
      account={await readAccount(access)}
      theme={knownTheme(preferenceIn(await cookies(), themeCookie))}
    />
  ),
});

export { generateMetadata, Page as default };
