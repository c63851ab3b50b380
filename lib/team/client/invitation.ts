import { withKnownCodes, type FieldCode } from "@/lib/platform/http/model/field-errors";
import { fetchJson, type RequestFailure } from "@/lib/platform/http/client/fetch-json";
import * as z from "zod/mini";
import type { Accept } from "@/lib/team/model/requests";
import { acceptedSchema, offerSchema, type Accepted, type Offer } from "@/lib/team/model/team";

/** Why a link is invalid; `unknown`: Gancho has no such link. */
export type Over = Exclude<Offer["state"], "open"> | "unknown";

type PreviewAnswer =
  | { kind: "offer"; offer: Extract<Offer, { state: "open" }> }
  | { kind: "over"; over: Over }
  | { kind: "failed"; failure: RequestFailure };

type AcceptAnswer =
  | { kind: "accepted"; accepted: Accepted }
  | { kind: "over"; over: Over }
  | { kind: "fields"; errors: { path: string; code: FieldCode }[] }
  /** Another person is signed in than the page assumed: it reads the invitation again. */
  | { kind: "other_person" }
  | { kind: "failed"; failure: RequestFailure };

/** Hashing a new password may queue behind others. */
const timeout = 25_000;

/** What an invitation offers: the token's, or the signed-in person's. Never throws. The token travels in the body. */
export async function previewInvitation(token: string | null): Promise<PreviewAnswer> {
  const body = token === null ? {} : { token };
  const answer = await fetchJson("/api/invitations/look", { body, timeout });
  if (answer.kind === "problem") {
    const { code } = answer.problem;
    return code === "not_found"
      ? { kind: "over", over: "unknown" }
      : { kind: "failed", failure: answer };
  }
  const offer = answer.kind === "ok" ? offerSchema.safeParse(answer.body).data : undefined;
  if (!offer) return { kind: "failed", failure: { kind: "no_answer" } };
  return offer.state === "open" ? { kind: "offer", offer } : { kind: "over", over: offer.state };
}

const overMembers = z.object({ state: z.enum(["expired", "used", "revoked"]) });

/** Accepts it. Never throws. */
export async function acceptInvitation(request: Accept): Promise<AcceptAnswer> {
  const answer = await fetchJson("/api/invitations/accept", { body: request, timeout });
  if (answer.kind === "problem") {
    const { code, errors, members } = answer.problem;
    if (code === "not_found") return { kind: "over", over: "unknown" };
    if (code === "invitation_over") {
      const { data } = overMembers.safeParse(members);
      return { kind: "over", over: data?.state ?? "used" };
    }
    if (code === "forbidden") return { kind: "other_person" };
    if (errors?.length) return { kind: "fields", errors: withKnownCodes(errors) };
    return { kind: "failed", failure: answer };
  }
  const accepted = answer.kind === "ok" ? acceptedSchema.safeParse(answer.body).data : undefined;
  return accepted
    ? { kind: "accepted", accepted }
    : { kind: "failed", failure: { kind: "no_answer" } };
}
