import "server-only";
import { db } from "@/lib/platform/database/open";
import { fieldErrorTitles } from "@/lib/platform/http/model/field-errors";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { partnerMac } from "@/lib/platform/secrets/partner-mac";

const shape = /^([0-9a-z]{1,11})-[0-9a-f]{16}$/;

/** A place in one partner's chain, to be handed out. It says nothing to anybody else, and opens nothing of anybody else. */
export async function cursorAt(partnerId: string, seq: number): Promise<string> {
  const place = seq.toString(36);
  const mac = await partnerMac(db(), partnerId, "cursor", place);
  return `${place}-${mac.slice(0, 16)}`;
}

/** The place that a cursor names. Throws `invalid_fields` for one that `cursorAt` has not given out for this very partner. */
export async function placeOfCursor(partnerId: string, cursor: string): Promise<number> {
  const [, place] = shape.exec(cursor) ?? [];
  const seq = Number.parseInt(place ?? "", 36);
  if (place !== undefined && (await cursorAt(partnerId, seq)) === cursor) return seq;
  const error = { path: "cursor", code: "not_offered", message: fieldErrorTitles.not_offered };
  throw new ProblemError("invalid_fields", { errors: [error] });
}
