import { demoPartners, demoPeople, demoProduction, type DemoPerson } from "@/lib/cli/demo/data";
import { startMailServer } from "@/lib/tools/mail-server";
import { startMailbox } from "@/lib/cli/demo/mailbox";
import { newBrand, type Brand } from "@/lib/cli/demo/brand";
import { demoReceivers, startReceivers } from "@/lib/cli/demo/receivers";
import { demoPassword } from "@/lib/platform/env/mode";
import { db as ownDb } from "@/lib/platform/database/open";
import { env, type Env } from "@/lib/platform/env/env";
import { log as logger } from "@/lib/platform/log/log";
import { fillDatabase, refuseOthersDatabase, sandboxClients } from "@/lib/cli/demo/fill-database";
import { seedStory } from "@/lib/cli/demo/story";
import { demoKeys } from "@/lib/cli/demo/keys";
import { registerWebhooks } from "@/lib/cli/demo/register-webhooks";
import {
  startDashboard,
  startSandbox,
  type Service,
  openLogFile,
  buildWhenNeeded,
  requireFreePort,
} from "@/lib/cli/demo/services";
import { CliError, runProgram } from "./failure";
import { flagsGiven } from "./flags";
import { prepareDatabase } from "./prepare-database";
import { loadEnvFile } from "./root";
import { onStop } from "./stop";

/**
 * `npm run demo`: the sandbox and the dashboard with partners and people to try it as. `--dev` needs no build. `--brand`:
 * under the name of a payment service, whose identity provider alone decides who people are.
 */
await runProgram("The demo cannot run", async () => {
  const flags = flagsGiven("--dev", "--brand");
  const dev = flags.has("--dev");
  loadEnvFile();
  const mailServer = await startMailServer();
  const brand = flags.has("--brand") ? newBrand() : null;
  const config = readConfig(mailServer.url, brand);
  const { port, sandboxPort, receiversPort } = config;
  // The console belongs to the person who tries the demo.
  logger.level = "fatal";
  if ([port, receiversPort].includes(sandboxPort))
    throw new CliError(
      `SANDBOX_PORT is ${sandboxPort}, and the demo's dashboard and receivers need ${port} and ${receiversPort}: set another`,
    );
  const clients = sandboxClients(config.sandboxClients);
  const log = (name: string) => openLogFile(config.dataDir, name);
  await requireFreePort("PORT", port);
  await requireFreePort("SANDBOX_PORT", sandboxPort);
  await requireFreePort("PORT", receiversPort);
  if (brand) await requireFreePort("PORT", brand.port);
  const mailbox = await startMailbox(mailServer, [port, sandboxPort, receiversPort, brand?.port]);
  const db = await prepareDatabase(config);
  await refuseOthersDatabase(db);

  if (!dev) await buildWhenNeeded(log("build"));

  const services: Service[] = [];
  onStop(() => void stopAll(services));

  const sandbox = `http://127.0.0.1:${sandboxPort}`;
  console.log(`Starting the sandbox at ${sandbox} …`);
  services.push(await startSandbox(log("sandbox")));

  console.log(
    `Filling in partners, people and webhooks; everything is kept in ${config.dataDir} …`,
  );
  await db.destroy();
  await fillDatabase([...config.environments.keys()], clients);
  for (const note of await registerWebhooks([...config.environments.keys()]))
    console.log(`  ${note}`);
  const isSeeded = await seedStory(sandbox, clients);
  await ownDb().destroy();

  console.log(`Starting receivers of notifications on port ${receiversPort} …`);
  const { caFile } = await startReceivers(receiversPort, config.dataDir);

  if (brand) {
    console.log(`Starting the identity provider on port ${brand.port} …`);
    await brand.startProvider(config.url.origin);
  }

  console.log("Starting the dashboard …");
  const trusting = { NODE_EXTRA_CA_CERTS: caFile };
  services.push(await startDashboard(dev, log("dashboard"), trusting));
  announce(config, mailbox.url, brand?.howToSignIn(config.url.origin) ?? signInByPassword());
  if (isSeeded)
    console.log(
      "\nIn Production somebody just changed an address outside Gancho, a change waits for approval, and a connection\nfails.",
    );
  await Promise.race(services.map((service) => service.died)).catch(async (failure: unknown) => {
    await Promise.all(services.map((service) => service.stop()));
    throw failure;
  });
});

/** The brand's settings, and the demo's keys and mailbox unless others are set. Throws `CliError` or `EnvironmentError`. */
function readConfig(smtp: string, brand: Brand | null): Env {
  if (process.env.NODE_ENV === "production")
    throw new CliError("NODE_ENV is production, and the demo has public passwords: use npm start");
  const dataDir = process.env["GANCHO_DATA_DIR"]?.trim() || brand?.dataDir || ".data";
  const set = Object.entries(process.env).filter(([, value]) => value?.trim());
  const sandbox = `http://127.0.0.1:${process.env["SANDBOX_PORT"]?.trim() || "4010"}`;
  const ofTheDemo = {
    SECURITY_CONTACT: "mailto:security@gancho.example",
    SMTP_URL: smtp,
    MAIL_FROM: "Gancho <gancho@gancho.example>",
    // Its receivers are on this machine.
    GANCHO_ALLOW_PRIVATE_TARGETS: "1",
    // Both are the one sandbox, which has two clients for each partner.
    PARTNER_API_ENVIRONMENTS: `sandbox=${sandbox},${demoProduction}=${sandbox}`,
    ...(brand && { GANCHO_DATA_DIR: dataDir }),
  };
  const isInFile = ([name]: [string, string]) => process.env[`${name}_FILE`]?.trim();
  const keys = Object.entries(demoKeys(dataDir)).filter((key) => !isInFile(key));
  const generated = { ...ofTheDemo, ...Object.fromEntries(keys) };
  Object.assign(process.env, generated, Object.fromEntries(set), brand?.settings, {
    GANCHO_DEMO: "1",
  });
  return env();
}

/** Stops the dashboard before the programs that it calls. */
async function stopAll(services: Service[]): Promise<void> {
  for (const service of services.toReversed()) await service.stop();
  process.exit(0);
}

/** The last output of a start: the address and who can sign in. */
function announce({ url, receiversPort }: Env, mailbox: string, howToSignIn: string): void {
  const receivers = demoReceivers(receiversPort).map(([address, does]) => `${address}  ${does}`);
  console.log(`
Gancho ready at ${url.origin}

${howToSignIn}

Endpoints to check. They are on this machine, which Gancho calls in this demo only:

  ${receivers.join("\n  ")}

Mailbox, with each mail that Gancho sends, such as invitations and links to choose a password:

  ${mailbox}

Ctrl-C stops everything.`);
}

function signInByPassword(): string {
  const rows = demoPeople.map((person) => [person.email, person.name, roleOf(person)]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  "));
  return `Sign in with the password ${demoPassword} as\n\n  ${lines.join("\n  ")}`;
}

function roleOf(person: DemoPerson): string {
  if ("staffRole" in person) return person.staffRole;
  const partner = demoPartners.find(({ id }) => id === person.partner);
  return `${person.role} of ${partner?.name ?? person.partner}`;
}
