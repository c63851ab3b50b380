import { titleOf } from "@/app/title-of";
import { ConfirmIdentity } from "@/components/account/confirm-identity";
import { onPage } from "@/lib/platform/access/on-page";
import { requireSignedIn } from "@/lib/platform/access/require";
import { signInFailure } from "@/lib/platform/auth/client/auth-client";
import { isSteppedUp } from "@/lib/platform/auth/step-up";
import { env } from "@/lib/platform/env/env";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { notFound } from "next/navigation";

export const generateMetadata = titleOf("shell.stepUp");

type Search = Record<string, string | string[] | undefined>;

/** The step-up at the provider: it leads there, and is where the person comes back. */
export default async function ConfirmIdentityPage({
  searchParams,
}: {
  searchParams: Promise<Search>;
}) {
  const { oidc } = env();
  if (!oidc?.isOnlyWay) notFound();
  const { session } = await onPage("/confirm-identity", requireSignedIn());
  const { done, error } = await searchParams;
  return (
    <ConfirmIdentity
      provider={oidc.name}
      // Any link can say so: what this session has counts.
      isConfirmed={done !== undefined && isSteppedUp(session, databaseTime())}
      initialFailure={typeof error === "string" ? signInFailure(error) : null}
    />
  );
}
