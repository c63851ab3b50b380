import { requirePartner } from "@/lib/access/require";
import { clientAddress } from "@/lib/client-address";
import { read, routes, write } from "@/lib/http/route";
import { inviteMember } from "@/lib/team/invite";
import { readTeam } from "@/lib/team/read";
import { inviteSchema, type Invite } from "@/lib/team/requests";
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
    handle: async ({ request, params, requestId, body }) =>
      Response.json(
        await inviteMember(params.partner, body, {
          requestId,
          clientAddress: clientAddress(request.headers),
          locale: await getLocale(),
        }),
        { status: 201 },
      ),
  }),
});
