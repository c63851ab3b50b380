"use client";

import { useParams, usePathname } from "next/navigation";
import { useState } from "react";
import type { Section, ShellMembership, ShellUser } from "@/components/layout/types";

/** The present or last position in the console: a partner and environment, and the section. */
export type CurrentEnvironment = {
  membership: ShellMembership;
  /** The address's environment; on a page about all of them, the one the person came from. */
  environment: string;
  /** The page covers all environments of the partner. */
  everywhere: boolean;
  /** As in the address; empty on a page of no partner. */
  section: string;
};

type LastEnvironment = { partnerId: string; environment: string | undefined };

/**
 * null where there is none to show. On pages outside the person's partners it is the environment they came from, or,
 * for people who are not staff, their first: it leads back.
 */
export function useCurrentEnvironment(user: ShellUser): CurrentEnvironment | null {
  const { partner, environment } = useParams();
  const parts = usePathname().split("/");
  const [last, setLast] = useState<LastEnvironment | null>(null);
  const find = (id: unknown) => user.memberships.find(({ partnerId }) => partnerId === id);
  const here = typeof environment === "string" ? environment : undefined;

  const membership = find(partner);
  if (membership) {
    const { partnerId } = membership;
    const shown = here ?? last?.environment;
    if (last?.partnerId !== partnerId || last.environment !== shown) {
      setLast({ partnerId, environment: shown });
    }
    const section = parts[here === undefined ? 3 : 4] ?? "webhooks";
    return environmentOf(membership, { shown, everywhere: here === undefined, section });
  }

  const back = find(last?.partnerId) ?? (user.staffRole ? undefined : user.memberships[0]);
  return back
    ? environmentOf(back, { shown: last?.environment, everywhere: false, section: "" })
    : null;
}

type Shown = { shown: string | undefined; everywhere: boolean; section: string };

function environmentOf(
  membership: ShellMembership,
  { shown, ...rest }: Shown,
): CurrentEnvironment | null {
  // An address may name one that the installation does not have, or no longer has.
  const environment =
    membership.environments.find((name) => name === shown) ?? membership.environments[0];
  return environment === undefined ? null : { membership, environment, ...rest };
}

/** The address of one section of one partner's environment. */
export function sectionPath(partnerId: string, environment: string, section: Section): string {
  return isShared(section)
    ? `/partners/${partnerId}/${section}`
    : `/partners/${partnerId}/${environment}/${section}`;
}

/** Whether a section is the same in every environment, and has no environment in its address. */
function isShared(section: Section): boolean {
  return section === "team";
}

/** The section to open in another environment: the present one, where the person has it there. */
export function sectionIn({ sections }: ShellMembership, current: CurrentEnvironment): Section {
  return (
    sections.find((section) => section === current.section && !isShared(section)) ?? "webhooks"
  );
}
