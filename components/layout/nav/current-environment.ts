"use client";

import { usePathname } from "next/navigation";
import { useState } from "react";
import type { Section, ShellMembership, ShellUser } from "@/components/layout/types";

/** The current or last position in the console: partner, environment and section. */
export type CurrentEnvironment = {
  membership: ShellMembership;
  /** The environment in the URL; on a page about all of them, the one that the person came from. */
  environment: string;
  /** Whether the page covers all environments of the partner. */
  everywhere: boolean;
  /** As in the URL; empty on a page outside any partner. */
  section: string;
};

type LastEnvironment = { partnerId: string; environment: string | undefined };

/**
 * Null if there is none to show. On pages outside any partner, it is the environment that the person came from, or
 * else, unless they are staff, their first one, so that the navigation leads back.
 */
export function useCurrentEnvironment(user: ShellUser): CurrentEnvironment | null {
  // From the address, since the page of an unknown one has no parameters.
  const [, page, partner, third, fourth] = usePathname().split("/");
  const [last, setLast] = useState<LastEnvironment | null>(null);
  const find = (id: string | undefined) =>
    user.memberships.find(({ partnerId }) => partnerId === id);

  const membership = page === "partners" ? find(partner) : undefined;
  if (membership) {
    const { partnerId } = membership;
    const here = membership.environments.find((name) => name === third);
    const shown = here ?? last?.environment;
    if (last?.partnerId !== partnerId || last.environment !== shown) {
      setLast({ partnerId, environment: shown });
    }
    const section = (here === undefined ? third : fourth) ?? "";
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
  const environment =
    membership.environments.find((name) => name === shown) ?? membership.environments[0];
  return environment === undefined ? null : { membership, environment, ...rest };
}

/** The path of one section of a partner's environment. */
export function sectionPath(partnerId: string, environment: string, section: Section): string {
  return isShared(section)
    ? `/partners/${partnerId}/${section}`
    : `/partners/${partnerId}/${environment}/${section}`;
}

/** Whether a section covers all environments and has none in its path. */
function isShared(section: Section): boolean {
  return section === "team";
}

/** The section to open in another environment: the current one, if the person has it there. */
export function sectionIn({ sections }: ShellMembership, current: CurrentEnvironment): Section {
  return (
    sections.find((section) => section === current.section && !isShared(section)) ?? "webhooks"
  );
}
