import { titleOf } from "@/app/title-of";
import { BareFrame } from "@/components/layout/bare-frame";
import { NotFoundState } from "@/components/layout/states/state";

export const generateMetadata = titleOf("shell.notFound");

export default function NotFound() {
  return (
    <BareFrame>
      <NotFoundState />
    </BareFrame>
  );
}
