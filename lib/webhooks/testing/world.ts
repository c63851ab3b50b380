import { configure } from "@/lib/platform/database/testing/configure";
import { startFaultyUpstream, type FaultyUpstream } from "@/e2e/faulty-upstream/server";
import { directService, type Registered, type ToRegister } from "@/e2e/fixtures/direct-service";
import { insertPartner } from "@/lib/partners/server/change-partner";
import type { PartnerRole, StaffRole } from "@/lib/platform/access/model/roles";
import { db } from "@/lib/platform/database/open";
import { inTransaction } from "@/lib/platform/database/testing/rows";
import { startSandbox } from "@/lib/sandbox/start";
import { randomBytes, randomUUID } from "node:crypto";
import { registerKnown } from "./register-known";
import { insertConnection, insertMember, insertUser } from "./rows";

/** A partner for a test: its own sandbox client, its own people. */
export type TestPartner = {
  id: string;
  environment: string;
  connectionId: string;
  clientId: string;
  clientSecret: string;
  /** The user id of a person with this role. */
  person: (role: PartnerRole) => Promise<string>;
  /** Whether the service accepts this partner's API user. */
  setActive: (active: boolean) => void;
  /** A change made by another client of the service. */
  register: (body: ToRegister) => Promise<void>;
  /** The same, but as if Gancho had written it, so that Gancho knows the value. */
  registerKnown: (body: ToRegister) => Promise<void>;
  /** The configuration at the service. */
  registered: () => Promise<Registered[]>;
};

export type World = Awaited<ReturnType<typeof startWorld>>;

/**
 * A real database and a real sandbox over a socket. `upstream` stands in front of the sandbox and has its own base
 * address. `environment`: the name of the only one, where that matters.
 */
export async function startWorld(
  upstream?: (sandboxUrl: string) => Promise<string>,
  environment = "sandbox",
) {
  const clients: { client_id: string; client_secret: string; active: boolean }[] = [];
  const sandbox = await startSandbox({ clients });
  await configure({
    PARTNER_API_ENVIRONMENTS: `${environment}=${upstream ? await upstream(sandbox.url) : sandbox.url}`,
  });

  const serviceOf = ({ clientId, clientSecret }: TestPartner) =>
    directService({ client_id: clientId, client_secret: clientSecret }, sandbox.url);

  /** `name`: where the partner's name matters. */
  async function partner(name?: string): Promise<TestPartner> {
    const id = `p-${randomBytes(6).toString("hex")}`;
    const client = { client_id: id, client_secret: randomUUID(), active: true };
    clients.push(client);
    sandbox.setClients(clients);
    await inTransaction((trx) => insertPartner(trx, { id, name: name ?? `Partner ${id}` }));
    const connectionId = await insertConnection(db(), id, environment, client);
    const made: TestPartner = {
      id,
      environment,
      connectionId,
      clientId: id,
      clientSecret: client.client_secret,
      person: async (role) => {
        const person = await insertUser(db(), { name: `The ${role}` });
        await insertMember(db(), id, person, role);
        return person;
      },
      setActive: (active) => {
        client.active = active;
        sandbox.setClients(clients);
      },
      // Methods, so that a copy with other credentials uses its own.
      register(body) {
        return serviceOf(this).register(body);
      },
      registerKnown(body) {
        return registerKnown(this, body);
      },
      registered() {
        return serviceOf(this).list();
      },
    };
    return made;
  }

  return {
    sandbox,
    partner,
    /** The user id of a staff person. */
    staff: (role: StaffRole) => insertUser(db(), { name: `The ${role}`, staff_role: role }),
    close: () => sandbox.close(),
  };
}

/**
 * A world whose service can misbehave, and the controls for it; closing the world closes that too. `also`: another
 * environment, of the same service.
 */
export async function startFaultyWorld(environment?: string, also?: string) {
  let started: FaultyUpstream | undefined;
  const world = await startWorld(async (sandbox) => {
    started = await startFaultyUpstream({ sandbox });
    return also ? `${started.url},${also}=${started.url}` : started.url;
  }, environment);
  if (!started) throw new Error("the upstream did not start");
  const upstream = started;
  const close = async () => {
    await upstream.close();
    await world.close();
  };
  return { world: { ...world, close }, upstream };
}

/** Connects a partner in an environment, as this client of the service. Gives the connection's id. */
export function connect(
  partnerId: string,
  environment: string,
  { clientId, clientSecret }: Pick<TestPartner, "clientId" | "clientSecret">,
): Promise<string> {
  const client = { client_id: clientId, client_secret: clientSecret };
  return insertConnection(db(), partnerId, environment, client);
}
