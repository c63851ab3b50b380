import * as z from "zod/mini";

/** Whose name or address a text is: that of an account, an invitation or a passkey, or an account's former one. */
export type Owner = { of: "user" | "invitation" | "passkey" | "formerName"; id: string };

/** In an object with this id, this field is a name or address of its owner. The first match counts. */
const fields = [
  ["userId", "name", "user"],
  ["userId", "email", "user"],
  ["askerId", "asker", "user"],
  ["invitationId", "email", "invitation"],
  ["passkey", "name", "passkey"],
  ["formerName", "before", "formerName"],
] as const;

const authorSchema = z.object({ id: z.string(), name: z.string() });

type Replace = (text: string, owner: Owner, field: "name" | "email") => string;

/**
 * An entry's detail with each person's name and address replaced. The history stores only ids; names are looked up when
 * it is read. Text that people write, such as a reason, stays as it is.
 */
export function withNames<Detail>(detail: Detail, replace: Replace): Detail {
  return replaced(detail, replace) as Detail;
}

function replaced(value: unknown, replace: Replace): unknown {
  if (Array.isArray(value)) return value.map((part) => replaced(part, replace));
  if (typeof value !== "object" || value === null) return value;
  const given = value as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(given)) {
    const found = fields.find(([id, field]) => field === key && typeof given[id] === "string");
    result[key] =
      found && typeof part === "string"
        ? replace(
            part,
            { of: found[2], id: given[found[0]] as string },
            key === "email" ? "email" : "name",
          )
        : key === "author"
          ? authorOf(part, replace)
          : replaced(part, replace);
  }
  return result;
}

/** A damaged entry may have anything here. */
function authorOf(author: unknown, replace: Replace): unknown {
  const { data } = z.safeParse(authorSchema, author);
  return data ? { ...data, name: replace(data.name, { of: "user", id: data.id }, "name") } : author;
}
