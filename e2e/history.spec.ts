import { readFileSync } from "node:fs";
import { inspect, lookTest } from "@/e2e/fixtures/inspect";
import type { E2ePartner } from "@/e2e/fixtures/partner";
import { expect, test } from "@/e2e/fixtures/test";
import { canary } from "@/e2e/canaries/canary";
import type { NewHistoryEntry } from "@/lib/history/server/record/record";
import { aSave, aSent, marina, record as recordEntries } from "@/lib/history/testing/history-world";
import { db } from "@/lib/platform/database/open";

const url = "https://hooks.loja.example/pix";

/** The history has only the ids of people: their names are those of their accounts. */
async function record(...entries: NewHistoryEntry[]): Promise<void> {
  const people = entries.flatMap(({ actor }) => actor ?? []);
  for (const { id } of people)
    await db()
      .insertInto("users")
      .values({
        id,
        name: id === marina.id ? marina.name : "Paula Azevedo",
        email: `${id}@aurora.example`,
        created_at: Date.now(),
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  await recordEntries(...entries);
}

function aFailure({ id }: E2ePartner): NewHistoryEntry {
  const after = { callbackUrl: `${url}/out`, fingerprint: null };
  return aSent(id, {
    types: ["pix_out"],
    outcome: "not_sent",
    detail: {
      saveId: "f",
      problem: "upstream_unavailable",
      changes: [{ type: "pix_out", before: null, after, outcome: "not_sent" }],
    },
  });
}

test("a change of one address keeps its Authorization value, and an auditor finds who made it, when, and with what outcome @main", async ({
  page,
  partner,
  visit,
}) => {
  const kept = `Bearer ${canary("authorization", "kept")}`;
  await partner.register({ url, authorization: kept });
  await visit("editor", "sandbox/webhooks?edit=pix_in");
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await sheet.getByLabel("Callback URL").fill(`${url}/collections`);
  await sheet.getByRole("button", { name: "Overwrite Pix in" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  const asked = "Edu Editor asked for it";
  await expect(page.getByRole("region", { name: "Pix in" })).toContainText(asked);
  await expect(page.getByRole("region", { name: "Pix out" })).not.toContainText(asked);
  expect(await partner.service.list()).toMatchObject([
    { type: "pix_in", callback_url: `${url}/collections`, auth_header: kept },
    { type: "pix_out", callback_url: url, auth_header: kept },
  ]);

  await page.getByRole("link", { name: "History", exact: true }).click();
  await expect(page.getByRole("heading", { name: "History", level: 1 })).toBeVisible();
  const entry = page
    .getByRole("listitem")
    .filter({ hasText: "The payment service shows the change to Pix in" });
  await expect(entry).toContainText(`url ${url}`);
  await expect(entry).toContainText(`url ${url}/collections`);
  await expect(entry).toContainText("Edu Editor");
  await expect(entry).toContainText(/from (127\.0\.0\.1|::1)/);
  await expect(entry.getByRole("time")).toBeVisible();
  await expect(entry).not.toContainText("Canary");
  await expect(page.getByText("Integrity verified")).toBeVisible();
});

test("a change made outside Gancho is shown, with its difference and nobody's name @main", async ({
  page,
  partner,
  visit,
  refreshUntil,
}) => {
  await partner.service.register({
    url,
    type: "pix_out",
    authorization: `Bearer ${canary("authorization", "secret-value")}`,
  });
  await visit("viewer", "sandbox/webhooks");
  await expect(page.getByRole("region", { name: "Pix out" })).toContainText(url);
  await partner.service.register({ url: `${url}/theirs`, type: "pix_out" });
  await refreshUntil(page.getByRole("heading", { name: /^Pix out: another address was shown/ }));

  await page.getByRole("link", { name: "History", exact: true }).click();
  const entry = page
    .getByRole("listitem")
    .filter({ hasText: "shows Pix out differently from before" });
  await expect(entry).toContainText("authorization the service shows no value");
  await expect(entry).toContainText("No save here asked for it.");
  await expect(entry).toContainText(/Noted by the dashboard · \d\d:\d\d/);
  await expect(entry).not.toContainText("Canary");
});

test("filters are in the address: they can be shared, and Back undoes them", async ({
  page,
  partner,
  visit,
}) => {
  await record(aSave(partner.id), aFailure(partner));
  await visit("viewer", "sandbox/history");
  const entries = page.getByRole("list", { name: "Entries, newest first" }).getByRole("listitem");
  await expect(entries).toHaveCount(2);

  await page.getByLabel("Type").selectOption("Pix out");
  await expect(page).toHaveURL(/\?type=pix_out$/);
  await expect(entries).toHaveCount(1);
  await expect(entries).toContainText("Change to Pix out not sent");
  await page.getByLabel("Show", { exact: true }).selectOption("What the service showed");
  await expect(page).toHaveURL(/show=changes/);
  await expect(page.getByRole("heading", { name: "No entry matches these filters" })).toBeVisible();

  await page.goBack();
  await expect(page.getByLabel("Show", { exact: true })).toHaveValue("");
  await expect(entries).toHaveCount(1);
  await page.reload();
  await expect(page.getByLabel("Type")).toHaveValue("pix_out");
  await expect(entries).toHaveCount(1);

  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/\/history$/);
  await expect(entries).toHaveCount(2);
  await page.getByLabel("Who").selectOption("Marina Castro");
  await expect(page).toHaveURL(/actor=marina/);
  await page.getByLabel("From").fill("2030-01-01");
  await expect(page.getByRole("heading", { name: "No entry matches these filters" })).toBeVisible();
});

test("all matching entries are downloaded as CSV and as JSON", async ({ page, partner, visit }) => {
  const elsewhere = aSave(partner.id, { environment: "production" });
  await record(aSave(partner.id), aFailure(partner), elsewhere);
  await visit("viewer", "sandbox/history?type=pix_in");
  const download = async (item: string) => {
    await page.getByRole("button", { name: "Export all matching entries" }).click();
    const started = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: item }).click();
    const file = await started;
    expect(file.suggestedFilename()).toContain(`history-${partner.id}-`);
    return readFileSync(await file.path(), "utf8");
  };
  const [, entry, end] = (await download("CSV, for spreadsheets")).split("\r\n");
  expect(entry).toContain(`saved,${marina.name}`);
  expect(end).toBe("");
  const json: unknown = JSON.parse(await download("JSON, all fields"));
  expect(json).toMatchObject({ entries: [{ actor: { name: marina.name } }] });
});

lookTest("history @look", async ({ page, partner, visit }) => {
  const inPartner = { partnerId: partner.id, types: [], actor: marina, requestId: "r" };
  const support = { id: "paula", clientAddress: "10.0.0.9" };
  const out = { callbackUrl: `${url}/out`, fingerprint: "9c41e07d".repeat(8) };
  const about = { ...inPartner, environment: null, outcome: null };
  await record(
    { ...about, kind: "partner_created", detail: { name: partner.name } },
    {
      ...about,
      kind: "member_invited",
      detail: { invitationId: "i", email: "ana@loja.example", role: "editor" },
    },
    {
      ...about,
      environment: "sandbox",
      kind: "connection_checked",
      detail: { clientId: "loja-api", candidate: false, problem: "credentials_rejected" },
    },
    {
      ...about,
      actor: support,
      kind: "support_view_opened",
      detail: {
        viewId: "v",
        reason: "ticket 48211, partner reports missing transfer.failed",
        expiresAt: 0,
      },
    },
    aFailure(partner),
    aSave(partner.id),
    {
      ...about,
      environment: "sandbox",
      kind: "changed_outside",
      types: ["pix_out"],
      actor: null,
      outcome: "seen",
      detail: {
        changes: [
          { type: "pix_out", outcome: "seen", before: out, after: { ...out, fingerprint: null } },
        ],
        lastLookedAt: Date.now() - 60_000,
        isLast: true,
      },
    },
  );
  await visit("viewer", "sandbox/history");
  await expect(page.getByRole("list").getByRole("listitem").last()).toBeVisible();
  await inspect(page, "history");
  await page.goto(`/partners/${partner.id}/sandbox/history?show=connection&type=pix_in`);
  await expect(page.getByRole("heading", { level: 2 })).toBeVisible();
  await inspect(page, "history-nothing-fits");
});

test("the history is read and filtered with the keyboard alone", async ({
  page,
  partner,
  visit,
}) => {
  await record(aSave(partner.id), aFailure(partner));
  await visit("viewer", "sandbox/history");
  const more = page.getByText("What was requested");
  await more.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText(`${url}/out`)).toBeVisible();
  const menu = page.getByRole("button", { name: "Export all matching entries" });
  await menu.focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "CSV, for spreadsheets" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  await page.getByLabel("Show", { exact: true }).focus();
  await page.keyboard.type("Not sent");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/show=failures/);
});
