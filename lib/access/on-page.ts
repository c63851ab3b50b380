import "server-only";
import { ProblemError } from "@/lib/problem";
import { notFound, redirect } from "next/navigation";

/**
 * A page's access check: sends the signed-out to sign in and back to `path`, and answers not-found for what one has
 * no part in. Any other problem goes on to the error page.
 */
export async function onPage<Access>(path: string, access: Promise<Access>): Promise<Access> {
  try {
    return await access;
  } catch (thrown) {
    if (thrown instanceof ProblemError && thrown.code === "signed_out")
      redirect(`/sign-in?callbackUrl=${encodeURIComponent(path)}`);
    if (thrown instanceof ProblemError && thrown.code === "not_found") notFound();
    throw thrown;
  }
}
