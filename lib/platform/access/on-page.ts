import "server-only";
import { ProblemError } from "@/lib/platform/http/model/problem";
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

/** null instead of `forbidden`: the page then says that it is not for this person's role. */
export async function unlessForbidden<Access>(
  path: string,
  access: Promise<Access>,
): Promise<Access | null> {
  try {
    return await access;
  } catch (thrown) {
    if (!(thrown instanceof ProblemError) || thrown.code !== "forbidden") throw thrown;
    await logIfRefused(path, thrown);
    return null;
  }
}

async function logIfRefused(path: string, thrown: unknown): Promise<void> {
  if (thrown instanceof ProblemError && isRefusal(thrown.code))
    await logRefusal(thrown.code, { path }, await headers());
}
