import { consolePage } from "@/app/(console)/_page/console-page";
import { AccountScreen } from "@/components/account/account-screen";
import { readAccount } from "@/lib/account/server/read-account";
import { requireSignedIn } from "@/lib/platform/access/require";

const page = consolePage({
  title: "account",
  namespaces: ["password", "account"],
  path: () => "/account",
  access: requireSignedIn,
  load: async ({ access }) => <AccountScreen account={await readAccount(access)} />,
});

export const { generateMetadata } = page;
export default page.Page;
