import type { Attention } from "@/lib/attention/model/answer";
import { readAttentions } from "@/lib/attention/server/attention";
import { requirePartner } from "@/lib/platform/access/require";
import { openSupportViews } from "@/lib/platform/access/support-view";
import { mustEnrolFirst, signedIn } from "@/lib/platform/access/viewer";
import { cache } from "react";

/*
 * What needs attention at the partners of whoever opens a page: read once, though the navigation and the page draw it,
 * and once the page has read the service, so that both are about the same look.
 */

type Page = { hasRead: Promise<void> | null; sayRead: () => void };
const page = cache((): Page => ({ hasRead: null, sayRead: () => undefined }));

/** For a page that reads the service: until it says so, or ends, the navigation waits with what it says. */
export async function readingService<Result>(draw: () => Promise<Result>): Promise<Result> {
  const own = page();
  own.hasRead = new Promise((resolve) => {
    own.sayRead = resolve;
  });
  return draw().finally(own.sayRead);
}

export function sayServiceWasRead(): void {
  page().sayRead();
}

/** People have few partners; of others, the browser asks when they open them. */
const readAtFirst = 3;

export const attentionOfPage = cache(async (): Promise<Attention[]> => {
  await page().hasRead;
  const partners = (await reachablePartners()).slice(0, readAtFirst);
  return readAttentions(
    await Promise.all(partners.map(({ partnerId }) => requirePartner(partnerId, "webhooks.read"))),
  );
});

/** The partners that the signed-in person can open now. */
export const reachablePartners = cache(async () => {
  const person = await signedIn();
  if (!person || mustEnrolFirst(person)) return [];
  const { viewer, session } = person;
  const views = viewer.staffRole === "support" ? await openSupportViews(session) : [];
  return [
    ...viewer.memberships,
    ...views.map(({ partner }) => ({
      partnerId: partner.id,
      partnerName: partner.name,
      role: "support" as const,
    })),
  ];
});
