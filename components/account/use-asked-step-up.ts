"use client";

import { askStepUpBy } from "@/lib/platform/http/client/fetch-json";
import { useEffect, useState } from "react";

type Asked = { method: "passkey" | "any"; end: (given: boolean) => void };

/** The proof of identity that a response from Gancho asks for while this is mounted; null until then. */
export function useAskedStepUp() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => askStepUpBy((method) => new Promise((end) => setAsked({ method, end }))), []);
  return {
    asked,
    end(given: boolean) {
      setAsked(null);
      asked?.end(given);
    },
  };
}
