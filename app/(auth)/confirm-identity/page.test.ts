import { sessionHash } from "@/lib/platform/auth/sessions/session-hash";
import { startSession } from "@/lib/platform/auth/sessions/sessions";
import { signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { update } from "@/lib/platform/database/testing/rows";
import { insertUser } from "@/lib/webhooks/testing/rows";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { beforeAll, expect, it } from "vitest";
import ConfirmIdentityPage from "./page";

beforeAll(async () => {
  await configure();
});

it("says that somebody is confirmed where their session is, whatever the address says (threat: a link that claims it)", async () => {
  signInAt();
  const userId = await insertUser(db(), { password_hash: null });
  const from = { clientAddress: null, userAgent: null };
  const session = await startSession(db(), userId, from, { by: "single_sign_on" });
  const idHash = sessionHash(session);
  signInAs(userId, idHash, "single_sign_on");
  const confirmedAt = async (search: Record<string, string>) => {
    const page = await ConfirmIdentityPage({ searchParams: Promise.resolve(search) });
    return page.props as unknown;
  };
  expect(await confirmedAt({ done: "anything" })).toMatchObject({ isConfirmed: false });
  await update("sessions", { reauthenticated_at: Date.now() }, { id_hash: idHash });
  expect(await confirmedAt({ done: "given" })).toMatchObject({ isConfirmed: true });
  expect(await confirmedAt({})).toMatchObject({ isConfirmed: false });
});
