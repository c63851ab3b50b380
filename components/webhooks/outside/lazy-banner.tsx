"use client";

import dynamic from "next/dynamic";
import { type ComponentProps, useState } from "react";

// The banner usually appears on an open page, which keeps its dialogs and typed text while this code loads. If it fails
// to load, the card's badge says the same.
const Banner = dynamic(
  () =>
    import("./outside-banner").then(
      (module) => module.OutsideBanner,
      () => () => null,
    ),
  { loading: () => null },
);

/** Once shown, it stays, because it also says that the change was acknowledged. */
export function OutsideBanner(props: ComponentProps<typeof Banner>) {
  const [shown, setShown] = useState(false);
  if (!shown && props.configuration.outside?.length) setShown(true);
  return shown ? <Banner {...props} /> : null;
}
