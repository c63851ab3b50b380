"use client";

import dynamic from "next/dynamic";
import { type ComponentProps, useState } from "react";

// The page is usually open already. It stays as it is, with its dialogs and what was typed into them, while this code
// loads and if it fails to load: the card's badge says the same.
const Banner = dynamic(
  () =>
    import("./outside-banner").then(
      (module) => module.OutsideBanner,
      () => () => null,
    ),
  { loading: () => null },
);

/** Rarely shown. Once shown it stays: it also says how the change was dealt with. */
export function OutsideBanner(props: ComponentProps<typeof Banner>) {
  const [shown, setShown] = useState(false);
  if (!shown && props.configuration.outside?.length) setShown(true);
  return shown ? <Banner {...props} /> : null;
}
