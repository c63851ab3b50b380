import { consolePage, withQueries } from "@/app/(console)/_page/console-page";
import { TeamScreen } from "@/components/team/team-screen";
import { requirePartner } from "@/lib/platform/access/require";
import { teamKeys } from "@/lib/team/client/query";
import { readTeam } from "@/lib/team/server/read";

const { generateMetadata, Page } = consolePage({
  title: "team",
  path: ({ partner }) => `/partners/${partner}/team`,
  access: ({ partner }: { partner: string }) => requirePartner(partner, "team.read"),
  load: async ({ access }) =>
    withQueries(
      [[teamKeys.team(access.partner.id), await readTeam(access)]],
      <TeamScreen partner={access.partner} />,
    ),
});

export { generateMetadata, Page as default };
