import { useHere } from "@/components/layout/here";
import { attentionKeys, attentionQuery } from "@/lib/attention/client/query";
import type { Attention, AttentionItem } from "@/lib/attention/model/answer";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

/** What needs attention here: what came with the page, or what the browser has read since, whichever is about the newer look. */
export function useAttentionItems(
  initial: Attention,
  configuration: Configuration,
  checkedAt: string | null,
): readonly AttentionItem[] {
  const { partner, environment } = useHere().ref;
  const client = useQueryClient();
  const { data } = useQuery(attentionQuery(partner));
  // A page from the browser's cache has an older one.
  useEffect(() => {
    client.setQueryData<Attention>(attentionKeys.of(partner), (kept) =>
      kept && epochIn(kept, environment) > epochIn(initial, environment) ? kept : initial,
    );
  }, [client, partner, environment, initial]);
  const news = [
    configuration.epoch,
    checkedAt,
    ...(configuration.proposals ?? []).map(({ id }) => id),
  ].join();
  const read = useRef(news);
  useEffect(() => {
    if (news === read.current) return;
    read.current = news;
    void client.invalidateQueries({ queryKey: attentionKeys.of(partner) });
  }, [client, partner, news]);
  const isNewer = data && epochIn(data, environment) >= epochIn(initial, environment);
  return placeIn(isNewer ? data : initial, environment)?.items ?? [];
}

function placeIn({ environments }: Attention, environment: string) {
  return environments.find((each) => each.environment === environment);
}

function epochIn(attention: Attention, environment: string): number {
  return placeIn(attention, environment)?.epoch ?? 0;
}
