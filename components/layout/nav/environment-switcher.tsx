"use client";

import { Menu, MenuGroup, MenuLink } from "@/components/ui/menu";
import { ChevronsUpDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { EnvironmentBadge } from "./environment-badge";
import { useEnvironmentName } from "./environment-name";
import { InitialsTile } from "./initials-tile";
import { sectionPath, sectionIn, type CurrentEnvironment } from "./current-environment";
import type { ShellUser } from "@/components/layout/types";

const block =
  "flex w-full min-w-0 items-center gap-2.5 rounded-control px-2 text-left lg:border lg:border-line lg:px-2.5 lg:py-2";

type EnvironmentSwitcherProps = {
  user: ShellUser;
  current: CurrentEnvironment;
  className?: string;
};

/** The current partner and environment; a menu where there is more than one to choose from. */
export function EnvironmentSwitcher({ user, current, className }: EnvironmentSwitcherProps) {
  const t = useTranslations("shell");
  const environmentName = useEnvironmentName();
  const environments = user.memberships.flatMap(({ environments }) => environments);

  if (environments.length < 2) {
    return (
      <div className={className}>
        <div className={block}>
          <EnvironmentLabel current={current} />
        </div>
      </div>
    );
  }

  return (
    <Menu
      label={t("switcher", {
        partner: current.membership.partnerName,
        environment: current.everywhere
          ? t("allEnvironments")
          : environmentName(current.environment),
      })}
      trigger={
        <>
          <EnvironmentLabel current={current} />
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-2" />
        </>
      }
      triggerClassName={`${block} min-h-9 hover:bg-hover`}
      menuClassName="top-full left-0 max-h-[70dvh] w-64 max-w-[calc(100vw-2rem)] overflow-y-auto lg:w-full"
      className={className}
    >
      {user.memberships.map((membership) => (
        <MenuGroup key={membership.partnerId} label={membership.partnerName}>
          {membership.environments.map((environment) => (
            <MenuLink
              key={environment}
              href={sectionPath(membership.partnerId, environment, sectionIn(membership, current))}
              current={
                !current.everywhere &&
                membership.partnerId === current.membership.partnerId &&
                environment === current.environment
              }
            >
              <EnvironmentBadge environment={environment} />
            </MenuLink>
          ))}
        </MenuGroup>
      ))}
    </Menu>
  );
}

function EnvironmentLabel({ current }: { current: CurrentEnvironment }) {
  const { partnerName } = current.membership;
  return (
    <>
      <InitialsTile name={partnerName} kind="partner" className="max-lg:hidden" />
      <span className="flex min-w-0 flex-1 items-center gap-2 lg:flex-col lg:items-start lg:gap-0.5">
        <span className="max-w-full truncate font-medium">{partnerName}</span>
        <EnvironmentBadge environment={current.everywhere ? null : current.environment} />
      </span>
    </>
  );
}
