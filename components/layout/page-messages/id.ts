import type { Namespace } from "@/lib/platform/i18n/model/messages";

/** Of the element in the page that holds these messages. */
export function messagesId(namespaces: readonly Namespace[]): string {
  return ["messages", ...namespaces].join("-");
}
