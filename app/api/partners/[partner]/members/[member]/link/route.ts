import { requirePartner } from "@/lib/platform/access/require";
import { routes, write, emptyBody } from "@/lib/platform/http/route";
import { makeMemberLink } from "@/lib/team/server/members/member-link";

type Params = { partner: string; member: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("members.link", {
  POST: write({
    access: ({ partner }: Params) => requirePartner(partner, "team.write"),
    body: () => emptyBody,
    handle: async ({ params: { member }, access, context }) =>
      Response.json(await makeMemberLink(access, member, context), {
        status: 201,
      }),
  }),
});
