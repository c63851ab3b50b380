import type { AttentionItem } from "@/lib/attention/model/answer";
import { attentionQuery } from "@/lib/attention/client/query";
import { useQuery } from "@tanstack/react-query";

/** What needs attention in one environment; undefined until that is known. */
export function useAttention(partner: string, environment: string): AttentionItem[] | undefined {
  const { data } = useQuery(attentionQuery(partner));
  return data?.environments.find((each) => each.environment === environment)?.items;
}
