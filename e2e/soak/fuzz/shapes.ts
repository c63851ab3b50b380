import * as z from "zod";
import type { Dice } from "./dice";
import { anyText, anyValue } from "./values";

/** The fields that a route takes, as dotted paths; found by probing, so that new routes need no list here. */
export type Shape = ReadonlySet<string>;

const refusal = z.object({ errors: z.array(z.object({ path: z.string(), code: z.string() })) });

/** Sends bodies until the refusals name no further field. */
export async function shapeOf(
  ask: (body: unknown) => Promise<{ status: number; body: string }>,
): Promise<Shape> {
  const known = new Set<string>();
  for (const guess of ["", { action: "replace" }, {}])
    for (let before = -1; before < known.size;) {
      before = known.size;
      const answer = await ask(bodyWith(known, () => structuredClone(guess)));
      if (answer.status !== 422) break;
      const { data } = refusal.safeParse(JSON.parse(answer.body));
      for (const { path, code } of data?.errors ?? [])
        if (code !== "unknown_field" && path !== "") known.add(path);
    }
  return known;
}

/** A body with these fields; a field of a field makes an object of it. */
function bodyWith(shape: Iterable<string>, valueAt: (path: string) => unknown): unknown {
  const body: Record<string, unknown> = {};
  for (const path of [...shape].sort()) {
    const names = path.split(".");
    const last = names.pop() ?? "";
    let inner = body;
    for (const name of names) {
      const present = inner[name];
      const next = isRecord(present) ? present : {};
      inner[name] = next;
      inner = next;
    }
    inner[last] = valueAt(path);
  }
  return body;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Most often right for the route but for some value; sometimes anything at all. */
export function anyBody(dice: Dice, shape: Shape): string {
  if (dice.oneIn(12)) return anyText(dice);
  if (dice.oneIn(12)) return "[".repeat(dice.under(3_000)) + "{".repeat(dice.under(3));
  if (dice.oneIn(10)) return JSON.stringify(anyValue(dice));
  const body = bodyWith(
    [...shape].filter(() => !dice.oneIn(12)),
    () => (dice.oneIn(3) ? anyValue(dice) : anyText(dice)),
  );
  const text = JSON.stringify(dice.oneIn(8) ? { ...Object(body), [anyText(dice)]: 1 } : body);
  return dice.oneIn(20) ? text.slice(0, dice.under(text.length)) : text;
}
