"use client";

import { useParams, usePathname } from "next/navigation";
import type { ShellMembership, ShellUser } from "./types";

/** Where in the console one is: the partner and environment of the address, and the section behind them. */
export type Place = { membership: ShellMembership; environment: string; section: string };

/** null on pages that belong to no partner, or to one that the person has no part in. */
export function usePlace(user: ShellUser): Place | null {
  const { partner, environment } = useParams();
  const section = usePathname().split("/")[4] ?? "webhooks";
  const membership = user.memberships.find(({ partnerId }) => partnerId === partner);
  if (!membership || typeof environment !== "string") return null;
  return { membership, environment, section };
}

/** The address of one section of one partner's environment. */
export function placePath(partnerId: string, environment: string, section: string): string {
  return `/partners/${partnerId}/${environment}/${section}`;
}
