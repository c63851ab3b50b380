"use client";

import { AppearingPart } from "@/components/layout/lasting-boundary";
import dynamic from "next/dynamic";
import { type ComponentProps, useState } from "react";

// If its code fails to load, the card's badge says the same.
const Banner = dynamic(() =>
  import("./outside-banner").then(
    (module) => module.OutsideBanner,
    () => () => null,
  ),
);

/** Once shown, it stays, because it also says that the change was acknowledged. */
export function OutsideBanner(props: ComponentProps<typeof Banner>) {
  const [shown, setShown] = useState(false);
  if (!shown && props.configuration.outside?.length) setShown(true);
  return <AppearingPart>{shown ? <Banner {...props} /> : null}</AppearingPart>;
}
