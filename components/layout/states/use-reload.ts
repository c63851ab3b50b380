"use client";

import { ganchoAnswers } from "@/lib/platform/http/client/fetch-json";
import { useState } from "react";

/**
 * Reloads the page once Gancho answers: without an answer, the browser would put a page of its own in the place of this
 * one. A part that did not load needs it, since the browser remembers the failure, and since the build that the page
 * came with may be gone.
 */
export function useReload() {
  const [state, setState] = useState<"idle" | "asking" | "unanswered">("idle");
  return {
    asking: state === "asking",
    /** Gancho did not answer when it was last asked. */
    unanswered: state === "unanswered",
    async reload() {
      setState("asking");
      if (await ganchoAnswers()) location.reload();
      else setState("unanswered");
    },
  };
}
