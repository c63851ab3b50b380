import { partnerLine, partnerPageSchema } from "@/lib/partners/model/page";
import * as z from "zod/mini";
import { attentionItem } from "./answer";

const line = z.extend(partnerLine, {
  /** In the environment of the list, the worst first; empty: all is well. */
  attention: z.array(attentionItem),
});

/** `GET /api/partners`: the list, with what needs attention at each. */
export const attentionPageSchema = z.extend(partnerPageSchema, { partners: z.array(line) });

export type AttentionLine = z.infer<typeof line>;
export type AttentionPage = z.infer<typeof attentionPageSchema>;
