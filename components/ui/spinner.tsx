import { LoaderCircle } from "lucide-react";

/** Progress without a word; the element around it says what is under way. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin" />;
}
