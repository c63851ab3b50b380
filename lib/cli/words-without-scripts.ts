import { requestNote } from "@/lib/platform/log/request-note";
import type { ServerResponse } from "node:http";
import { wordsOf } from "./refuse";

/**
 * Adds what happened and what to do to a page that failed: the framework leaves that to scripts, and without them its page
 * is empty. `html` is in bytes.
 */
export function withWords(response: ServerResponse, html: string): string {
  if (response.statusCode < 500) return html;
  const isAway = requestNote()?.lackedDatabase;
  const [english, portuguese] = wordsOf(isAway ? "database_unavailable" : "internal_error");
  const id = String(response.getHeader("x-request-id"));
  const words = `<noscript><p>${english} (${id})</p><p lang="pt-BR">${portuguese} (${id})</p></noscript>`;
  return html.replace(/<body[^>]*>/, (body) => body + Buffer.from(words).toString("latin1"));
}
