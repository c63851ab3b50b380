"use client";

import { replaceAddress } from "@/components/layout/replace-address";
import { filterParams } from "@/lib/partners/client/query";
import type { PartnerFilter } from "@/lib/partners/client/keys";
import { useEffect, useState } from "react";

/** Milliseconds without typing after which the list is asked for. */
const pause = 200;

/**
 * What the list is narrowed down to. It stands in the address, so that a search can be reloaded, kept and sent to
 * somebody; what is typed is shown at once and searched for after a moment.
 */
export function usePartnerFilter(initial: PartnerFilter) {
  const [filter, setFilter] = useState(initial);
  const [typed, setTyped] = useState(initial.search);

  useEffect(() => {
    const search = typed.trim();
    if (search === filter.search) return;
    const timer = setTimeout(() => setFilter((now) => ({ ...now, search })), pause);
    return () => clearTimeout(timer);
  }, [typed, filter.search]);

  // At once and not after the pause: a change of the address makes the framework give up a navigation under way, such
  // as the one of whoever typed and then chose a partner.
  useEffect(() => {
    const query = `?${filterParams({ ...filter, search: typed.trim() })}`;
    if (query !== location.search) replaceAddress(location.pathname + query);
  }, [filter, typed]);

  return {
    filter,
    typed,
    type: setTyped,
    narrow: (change: Partial<PartnerFilter>) => setFilter((now) => ({ ...now, ...change })),
    clear: () => {
      setTyped("");
      setFilter((now) => ({ ...now, search: "", status: null }));
    },
  };
}
