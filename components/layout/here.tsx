"use client";

import { createContext, use, type ReactNode } from "react";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";

type Here = { partner: { id: string; name: string }; environment: string };

const HereContext = createContext<Here | null>(null);

/** The partner and environment that a page is about. Every query on the page is about these. */
export function HereProvider({ children, ...here }: Here & { children: ReactNode }) {
  return <HereContext value={here}>{children}</HereContext>;
}

export function useHere() {
  const here = use(HereContext);
  const nameOf = useEnvironmentName();
  if (!here) throw new Error("useHere needs a HereProvider above it");
  const { partner, environment } = here;
  return {
    ...here,
    environmentName: nameOf(environment),
    ref: { partner: partner.id, environment },
  };
}
