"use client";

import type { Configuration } from "@/lib/webhooks/model/configuration";
import dynamic from "next/dynamic";
import { type ComponentProps, useState } from "react";

// The page is as a rule open already: it stays as it is, with its dialogs and what is typed there, until the code is there,
// and if that does not come. The badge of the card says the same.
const Banner = dynamic(
  () =>
    import("./outside-banner").then(
      (module) => module.OutsideBanner,
      () => () => null,
    ),
  { loading: () => null },
);

/** Hardly ever is there something to say; once there was, what came of it is said here, too. */
export function OutsideBanner(props: ComponentProps<typeof Banner>) {
  const [shown, setShown] = useState(false);
  if (!shown && isChanged(props.configuration)) setShown(true);
  return shown ? <Banner {...props} /> : null;
}

function isChanged({ outside }: Configuration): boolean {
  return outside !== undefined && outside.length > 0;
}
