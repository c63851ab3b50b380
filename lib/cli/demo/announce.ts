import { demoPassword } from "@/lib/platform/auth/passwords/demo-password";
import { demoPartners, demoPeople } from "./data";

/** The last words of a start: the address and who can sign in. */
export function announce(origin: string): void {
  const rows = demoPeople.map((person) => [person.email, person.name, part(person)]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  "));
  console.log(`
Gancho ready at ${origin}

Sign in with the password ${demoPassword} as

  ${lines.join("\n  ")}

Ctrl-C stops everything.`);
}

function part(person: (typeof demoPeople)[number]): string {
  if ("staffRole" in person) return person.staffRole;
  const partner = demoPartners.find(({ id }) => id === person.partner);
  return `${person.role} of ${partner?.name ?? person.partner}`;
}
