import { requirePartner } from "@/lib/platform/access/require";
import { read, routes, write } from "@/lib/platform/http/route";
import { inviteMember } from "@/lib/team/server/invitations/invite";
import { readTeam } from "@/lib/team/server/read";
import { inviteSchema, type Invite } from "@/lib/team/model/requests";
import { getLocale } from "next-intl/server";

type Params = { partner: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("members", {
  GET: read<Params, unknown>({
    access: ({ partner }) => requirePartner(partner, "team.read"),
    handle: async ({ params }) => Response.json(await readTeam(params.partner)),
  }),
  POST: write<Params, unknown, Invite>({
    access: ({ partner }) => requirePartner(partner, "team.write"),
    body: () => inviteSchema,
    handle: async ({ params, body, context }) =>
      Response.json(
        await inviteMember(params.partner, body, {
          ...context,
          locale: await getLocale(),
        }),
        { status: 201 },
      ),
  }),
});
