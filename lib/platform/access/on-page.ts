import "server-only";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { requestNote } from "@/lib/platform/log/request-note";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { isRefusal, logRefusal } from "./log-refusal";

/**
 * A page's access check. A person who is not signed in goes to the sign-in page, and support without a view goes to the
 * step that asks for a reason; both come back to `path` afterwards. A person who still has to set up one-time codes or
 * a passkey goes to the account screen. A partner in which the person has no part is not found. Any other problem goes
 * on to the error page.
 */
export async function onPage<Access>(path: string, access: Promise<Access>): Promise<Access> {
  try {
    return await access;
  } catch (thrown) {
    await logIfRefused(path, thrown);
    if (thrown instanceof ProblemError && thrown.code === "signed_out")
      redirect(`/sign-in?callbackUrl=${encodeURIComponent(path)}`);
    if (
      thrown instanceof ProblemError &&
      (thrown.code === "one_time_codes_required" || thrown.code === "passkey_required")
    )
      redirect("/account");
    if (thrown instanceof ProblemError && thrown.code === "not_found") notFound();
    if (thrown instanceof ProblemError && thrown.code === "support_view_required")
      redirect(`${partnerHome(path)}/support-view?to=${encodeURIComponent(path)}`);
    throw thrown;
  }
}

/** Of a path below `/partners/{partner}`. */
function partnerHome(path: string): string {
  return path.split("/").slice(0, 3).join("/");
}

/** Why a page is not shown: it is not for this person's role, or nothing that they may know of is there. */
export type Refused = "forbidden" | "not_found";

/**
 * The reason instead of an exception: the page then says it in words. What the framework draws for `notFound()` comes
 * without styles first, so the page answers that itself, and only the status comes from the note of its request.
 */
export async function unlessRefused<Access extends object>(
  path: string,
  access: Promise<Access>,
): Promise<Access | Refused> {
  try {
    return await access;
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    const { code } = thrown;
    if (code !== "forbidden" && code !== "not_found") throw thrown;
    await logIfRefused(path, thrown);
    const note = requestNote();
    if (note) note.isNotFound = code === "not_found";
    return code;
  }
}

async function logIfRefused(path: string, thrown: unknown): Promise<void> {
  if (thrown instanceof ProblemError && isRefusal(thrown.code))
    await logRefusal(thrown.code, { path }, await headers());
}
