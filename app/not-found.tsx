import ConsoleLayout from "@/app/(console)/layout";
import { titleOf } from "@/app/title-of";
import { BareFrame } from "@/components/layout/bare-frame";
import { NotFoundState } from "@/components/layout/states/state";
import { signedIn } from "@/lib/platform/access/viewer";

export const generateMetadata = titleOf("shell.notFound");

/** An address that no page has. Whoever is signed in keeps the console's navigation. */
export default async function NotFound() {
  if (await signedIn())
    return (
      <ConsoleLayout>
        <NotFoundState />
      </ConsoleLayout>
    );
  return (
    <BareFrame>
      <NotFoundState />
    </BareFrame>
  );
}
