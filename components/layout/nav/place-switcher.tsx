"use client";

import { Menu, MenuGroup, MenuLink } from "@/components/ui/menu";
import { ChevronsUpDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { AllEnvironmentsBadge, EnvironmentBadge } from "./environment-badge";
import { useEnvironmentName } from "./environment-name";
import { InitialsTile } from "./initials-tile";
import { placePath, sectionIn, type Place } from "./place";
import type { ShellUser } from "@/components/layout/types";

const block =
  "flex w-full min-w-0 items-center gap-2.5 rounded-control px-2 text-left lg:border lg:border-line lg:px-2.5 lg:py-2";

type PlaceSwitcherProps = { user: ShellUser; place: Place; className?: string };

/** Which partner and environment one is looking at; a menu where there is more than one to choose from. */
export function PlaceSwitcher({ user, place, className }: PlaceSwitcherProps) {
  const t = useTranslations("shell");
  const environmentName = useEnvironmentName();
  const places = user.memberships.flatMap(({ environments }) => environments);

  if (places.length < 2) {
    return (
      <div className={className}>
        <div className={block}>
          <PlaceLabel place={place} />
        </div>
      </div>
    );
  }

  return (
    <Menu
      label={t("switcher", {
        partner: place.membership.partnerName,
        environment: place.everywhere ? t("allEnvironments") : environmentName(place.environment),
      })}
      trigger={
        <>
          <PlaceLabel place={place} />
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-2" />
        </>
      }
      triggerClassName={`${block} min-h-9 hover:bg-hover`}
      menuClassName="max-h-[70dvh] w-64 max-w-[calc(100vw-2rem)] overflow-y-auto lg:w-full"
      {...(className ? { className } : {})}
    >
      {user.memberships.map((membership) => (
        <MenuGroup key={membership.partnerId} label={membership.partnerName}>
          {membership.environments.map((environment) => (
            <MenuLink
              key={environment}
              href={placePath(membership.partnerId, environment, sectionIn(membership, place))}
              current={
                !place.everywhere &&
                membership.partnerId === place.membership.partnerId &&
                environment === place.environment
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

function PlaceLabel({ place }: { place: Place }) {
  const { partnerName } = place.membership;
  return (
    <>
      <InitialsTile name={partnerName} kind="partner" className="max-lg:hidden" />
      <span className="flex min-w-0 flex-1 items-center gap-2 lg:flex-col lg:items-start lg:gap-0.5">
        <span className="max-w-full truncate font-medium">{partnerName}</span>
        {place.everywhere ? (
          <AllEnvironmentsBadge />
        ) : (
          <EnvironmentBadge environment={place.environment} />
        )}
      </span>
    </>
  );
}
