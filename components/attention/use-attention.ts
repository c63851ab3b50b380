import type { AttentionItem } from "@/lib/attention/model/answer";
import { attentionQuery } from "@/lib/attention/client/query";
import { useQuery } from "@tanstack/react-query";

/** What needs attention in one environment; undefined until that is known, and while it cannot be asked for. */
export function useAttention(partner: string, environment: string): AttentionItem[] | undefined {
  const { data, isError } = useQuery(attentionQuery(partner));
  if (isError) return undefined;
  return data?.environments.find((each) => each.environment === environment)?.items;
}
