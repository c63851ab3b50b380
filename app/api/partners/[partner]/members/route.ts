import { requirePartner } from "@/lib/platform/access/require";
import { read, routes, write } from "@/lib/platform/http/route";
import { inviteMember } from "@/lib/team/server/invitations/invite";
import { readTeam } from "@/lib/team/server/read";
import { inviteSchema } from "@/lib/team/model/requests";
import { getLocale } from "next-intl/server";

type Params = { partner: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("members", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "team.read"),
    handle: ({ access }) => readTeam(access),
  }),
  POST: write({
    ofOwnSignIn: true,
    access: ({ partner }: Params) => requirePartner(partner, "team.write"),
    body: () => inviteSchema,
    status: 201,
    handle: async ({ access, body, context }) =>
      inviteMember(access, body, { ...context, locale: await getLocale() }),
  }),
});
