import { environmentPage, withQueries } from "@/app/(console)/_page/console-page";
import { ConnectionScreen } from "@/components/connection/connection-screen";
import { connectionKeys } from "@/lib/connection/client/query";
import { readConnection } from "@/lib/connection/server/stored";
import { may } from "@/lib/platform/access/model/roles";

const { generateMetadata, Page } = environmentPage({
  section: "connection",
  title: "connection",
  permission: "connection.read",
  async load({ access, params: { environment }, search }) {
    const { partner, role, viewer } = access;
    const key = connectionKeys.connection(partner.id, environment);
    return withQueries(
      [[key, await readConnection(access, environment)]],
      <ConnectionScreen
        mayWrite={may(role, "connection.write")}
        viewerId={viewer.id}
        replaces={"replace" in search}
      />,
    );
  },
});

export { generateMetadata, Page as default };
