"use client";

import { useParams, usePathname } from "next/navigation";
import { useState } from "react";
import { isShared, type Section } from "./sections";
import type { ShellMembership, ShellUser } from "./types";

/** Where in the console one is: the partner and environment of the address, and the section behind them. */
export type Place = {
  membership: ShellMembership;
  /** The one of the address; on a page about all of them, the one that one came from. */
  environment: string;
  /** The page is about all environments of the partner. */
  everywhere: boolean;
  /** As it stands in the address. */
  section: string;
};

/** null on pages that belong to no partner, or to one that the person has no part in. */
export function usePlace(user: ShellUser): Place | null {
  const { partner, environment } = useParams();
  const parts = usePathname().split("/");
  const [last, setLast] = useState<string | null>(null);
  const here = typeof environment === "string" ? environment : null;
  if (here !== null && here !== last) setLast(here);

  const membership = user.memberships.find(({ partnerId }) => partnerId === partner);
  const shown = here ?? last ?? membership?.environments[0];
  if (!membership || shown === undefined) return null;
  const section = parts[here === null ? 3 : 4] ?? "webhooks";
  return { membership, environment: shown, everywhere: here === null, section };
}

/** The address of one section of one partner's environment. */
export function placePath(partnerId: string, environment: string, section: Section): string {
  return isShared(section)
    ? `/partners/${partnerId}/${section}`
    : `/partners/${partnerId}/${environment}/${section}`;
}

/** The section to open in another place: the present one, if there is such a one there. */
export function sectionIn({ sections }: ShellMembership, place: Place): Section {
  return sections.find((section) => section === place.section && !isShared(section)) ?? "webhooks";
}
