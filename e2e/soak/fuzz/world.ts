import type { StaffRole } from "@/lib/platform/access/model/roles";
import { identities, pageTable, routeTable, fill } from "@/e2e/access/table";
import type { Installation, Running } from "@/e2e/soak/installation";
import { addPerson } from "@/e2e/soak/partner";
import type { Dice } from "./dice";
import { anyBody, shapeOf, type Shape } from "./shapes";
import { anyText } from "./values";
import { bytesOf, exchange, type Message } from "./wire";

/** A partner with people of each kind, until what is sent at random has changed them too much. */
export type World = {
  partner: string;
  environment: string;
  cookies: readonly [string, ...string[]];
};

export async function makeWorld(installation: Installation, lane: number): Promise<World> {
  const { db } = installation;
  const partner = await installation.partner(
    installation.lanes[lane % installation.lanes.length] ?? oneLane(installation),
  );
  const signedIn = async (role: "viewer" | "editor" | "admin" | null, staff: StaffRole | null) => {
    const { id, cookie } = await addPerson(db, `Fuzz ${role ?? staff ?? ""}`);
    if (role)
      await db
        .insertInto("memberships")
        .values({ partner_id: partner.id, user_id: id, role, created_at: Date.now() })
        .execute();
    if (staff)
      await db.updateTable("users").set({ staff_role: staff }).where("id", "=", id).execute();
    return cookie;
  };
  return {
    partner: partner.id,
    environment: partner.environment,
    cookies: [
      await signedIn("admin", null),
      await signedIn("editor", null),
      await signedIn("viewer", null),
      await signedIn(null, "operator"),
      await signedIn(null, "support"),
    ],
  };
}

function oneLane({ lanes: [lane] }: Installation) {
  if (!lane) throw new Error("there is no lane");
  return lane;
}

type Target = { method: string; address: string; shape: Shape };

/** Every row of the access table, with the fields that each mutation was found to take. */
export async function findTargets(gancho: Running, world: World): Promise<Target[]> {
  const rows = Object.entries(routeTable).flatMap(([address, offered]) =>
    Object.keys(offered).map((method) => ({ address, method })),
  );
  const targets: Target[] = [];
  for (const row of rows) {
    const shapes = row.method === "GET" ? [] : await shapesOf(gancho, world, row);
    targets.push({ ...row, shape: new Set(shapes.flatMap((shape) => [...shape])) });
  }
  return [
    ...targets,
    ...Object.keys(pageTable).map((address) => ({
      address,
      method: "GET",
      shape: new Set<string>(),
    })),
  ];
}

async function shapesOf(
  gancho: Running,
  world: World,
  { address, method }: Omit<Target, "shape">,
): Promise<Shape[]> {
  const path = pathOf(address, world);
  return Promise.all(
    world.cookies.map((cookie) =>
      shapeOf(async (body) => {
        const message = { method, path, headers: ownHeaders(gancho, cookie) };
        const bytes = bytesOf({ ...message, body: Buffer.from(JSON.stringify(body)) });
        const { statuses, text } = await exchange(new URL(gancho.url), bytes);
        return { status: statuses[0] ?? 0, body: /\{.*\}/s.exec(text)?.[0] ?? "{}" };
      }),
    ),
  );
}

function pathOf(address: string, { partner, environment }: World): string {
  return fill(address.replace("[environment]", environment), partner);
}

function ownHeaders(gancho: Running, cookie: string): Record<string, string> {
  const { host, origin } = new URL(gancho.url);
  return {
    host,
    cookie,
    origin,
    "x-requested-by": "gancho",
    "content-type": "application/json",
  };
}

/** One request at the dashboard: most often one that gets far, with values that are right or very wrong. */
export function dashboardRequest(
  dice: Dice,
  gancho: Running,
  world: World,
  targets: readonly Target[],
): Message {
  const target = targets[dice.under(targets.length)];
  if (!target) throw new Error("there is nothing to ask for");
  const method = dice.oneIn(25)
    ? dice.oneOf(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND"])
    : target.method;
  const headers = ownHeaders(
    gancho,
    dice.oneIn(identities.length) ? "" : dice.oneOf(world.cookies),
  );
  if (dice.oneIn(20)) headers["origin"] = anyHeader(dice);
  if (dice.oneIn(20)) headers["content-type"] = anyHeader(dice);
  if (dice.oneIn(15)) headers["accept-language"] = anyHeader(dice);
  if (dice.oneIn(15)) headers["rsc"] = "1";
  const path = pathOf(target.address, world);
  return {
    method,
    path: (dice.oneIn(12) ? bent(dice, path) : path) + query(dice),
    headers,
    body: target.method === "GET" ? null : Buffer.from(anyBody(dice, target.shape)),
  };
}

const parameters = ["cursor", "search", "status", "environment", "type", "actor", "show", "from", "to", "format", "edit", "register", "callbackUrl", "error"]; // prettier-ignore

function query(dice: Dice): string {
  if (!dice.oneIn(3)) return "";
  const pairs = Array.from({ length: 1 + dice.under(3) }, () => {
    const name = parameters[dice.under(parameters.length)] ?? "";
    return `${name}=${escaped(anyText(dice).slice(0, 300))}`;
  });
  return `?${pairs.join("&")}`;
}

/** The path with one of its parts replaced by something else. */
function bent(dice: Dice, path: string): string {
  const parts = path.split("/");
  parts[1 + dice.under(parts.length - 1)] = escaped(anyText(dice).slice(0, 300));
  return parts.join("/");
}

/** A lone surrogate has no escape. */
function escaped(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "?"));
}

/** What a header can carry, as each of its characters is a byte. */
function anyHeader(dice: Dice): string {
  return anyText(dice)
    .replace(/[^\x20-\x7e\x80-\xff]/g, "?")
    .slice(0, 1_000);
}
