import { rowOf } from "@/lib/platform/database/testing/rows";
import { expect, test } from "@playwright/test";
import { createPartner } from "@/e2e/fixtures/partner";
import { cookieOf } from "@/e2e/fixtures/signed-in";
import { send } from "./send";

const origin = process.env["E2E_URL"] ?? "";

function clientWith(cookie: string) {
  return (method: string, path: string, body?: object) =>
    send({
      method,
      path,
      headers: {
        cookie,
        origin,
        "x-requested-by": "gancho",
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
}

/** Two partners, each with an admin; what the first one's admin sends, and what belongs to the second. */
async function neighbours() {
  const [ours, theirs] = [await createPartner(), await createPartner()];
  const [ourAdmin, theirAdmin] = [await ours.person("admin"), await theirs.person("admin")];
  const [asOurs, asTheirs] = [
    clientWith(await cookieOf(ourAdmin)),
    clientWith(await cookieOf(theirAdmin)),
  ];
  return { ours, theirs, asOurs, asTheirs };
}

test("an invitation of another partner cannot be withdrawn through one's own (threat: ids of others in the path)", async () => {
  const { ours, theirs, asOurs, asTheirs } = await neighbours();
  const invite = { email: `nova@${theirs.id}.example`, role: "viewer" };
  await asTheirs("POST", `/api/partners/${theirs.id}/members`, invite);
  const { id } = await rowOf("invitations", { partner_id: theirs.id });
  const path = `/api/partners/${ours.id}/members/invitations/${id}`;
  expect((await asOurs("DELETE", path, {})).status).toBe(404);
  expect((await asTheirs("GET", `/api/partners/${theirs.id}/members`)).body).toContain(id);
});

test("the list of partners reveals no other partner, whatever the query (threat: ids of others in queries)", async () => {
  const { ours, theirs, asOurs } = await neighbours();
  for (const query of [
    "",
    `?search=${theirs.id}`,
    `?search=${encodeURIComponent("' OR 1=1 --")}`,
    `?search=%25`,
    `?search=_`,
    `?cursor=${theirs.id}`,
    `?cursor=aaa`,
    `?partner=${theirs.id}`,
    `?status=failing&search=${theirs.id}`,
  ]) {
    const { status, body } = await asOurs("GET", `/api/partners${query}`);
    expect(status, query).toBe(200);
    const { partners } = JSON.parse(body) as { partners: { id: string }[] };
    expect(
      partners.filter(({ id }) => id !== ours.id),
      query,
    ).toEqual([]);
  }
});

test("a body cannot name another partner than the path (threat: ids of others in the body)", async () => {
  const { ours, theirs, asOurs, asTheirs } = await neighbours();
  await theirs.service.register({ url: "https://hooks.theirs.example/pix" });
  const shown = await asTheirs("GET", `/api/partners/${theirs.id}/sandbox/webhooks`);
  const { revision } = JSON.parse(shown.body) as { revision: string };
  const saveRequest = {
    type: "both",
    url: "https://attacker.example/pix",
    revision,
    authorization: { action: "remove" },
  };
  const path = `/api/partners/${ours.id}/sandbox/webhooks`;
  for (const field of ["partner", "partnerId", "partner_id", "client_id"]) {
    const answer = await asOurs("POST", path, { ...saveRequest, [field]: theirs.id });
    expect(answer.code, field).toBe("invalid_fields");
  }
  // What they see of theirs is no right to save ours.
  expect((await asOurs("POST", path, saveRequest)).code).toBe("stale_revision");
  expect(await theirs.service.list()).toMatchObject([
    { callback_url: "https://hooks.theirs.example/pix" },
    { callback_url: "https://hooks.theirs.example/pix" },
  ]);
});
