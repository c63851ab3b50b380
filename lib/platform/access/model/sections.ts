import { may, type ActingRole, type Permission } from "./roles";

/** What each page of a partner takes to be looked at. The pages ask for it themselves; this is for what leads to them. */
const needed = {
  webhooks: "webhooks.read",
  history: "history.read",
  connection: "connection.read",
  team: "team.read",
} as const satisfies Record<string, Permission>;

export type Section = keyof typeof needed;

/** The pages that somebody with this role reaches. */
export function sectionsFor(role: ActingRole): Section[] {
  const sections: Section[] = ["webhooks", "history", "connection", "team"];
  return sections.filter((section) => may(role, needed[section]));
}
