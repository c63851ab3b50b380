import "server-only";
import { env } from "@/lib/platform/env/env";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { hostList } from "./address";
import type { EgressRules } from "./egress";

/**
 * Where an endpoint check may go in this installation. Refuses, besides addresses that are not public: Gancho itself
 * (but where it receives for partners), its database, the payment service in every environment, the proxy, and
 * EGRESS_DENY; by name, and by the present addresses of those names.
 */
export async function egressRules(): Promise<EgressRules> {
  const { captureAt, egressDeny, egressProxy, mode, receiversPort } = env();
  const own = await ownHosts();
  return {
    deny: hostList([...egressDeny, ...own]),
    proxy: egressProxy,
    receives: captureAt?.origin ?? null,
    loopbackPort: mode === "demo" ? receiversPort : null,
  };
}

/** How long the resolved addresses of our names are kept, milliseconds. */
const cachedMs = 60_000;

type Known = { at: number; hosts: Promise<string[]> };

/** Names of the configuration, from the operator, so the machine's resolver resolves them. */
function ownHosts(): Promise<string[]> {
  const holder = processWide("egress-own-hosts", () => ({ known: null as Known | null }));
  if (!holder.known || performance.now() - holder.known.at > cachedMs)
    holder.known = { at: performance.now(), hosts: findOwnHosts() };
  return holder.known.hosts;
}

async function findOwnHosts(): Promise<string[]> {
  const { url, environments, databaseUrl, publicAddress, egressProxy, outboundProxy } = env();
  const addresses = [url.href, ...environments.values(), databaseUrl.reveal()];
  const names = addresses
    .flatMap((address) => (URL.canParse(address) ? hostsIn(new URL(address)) : []))
    .map((name) => name.replace(/^\[|\]$/g, ""))
    .concat(egressProxy?.host ?? "", outboundProxy?.host ?? "")
    .filter((name) => name !== "");
  const resolved = await Promise.all(
    names.map((name) => lookup(name, { all: true }).catch(() => [])),
  );
  return [
    ...names,
    ...resolved.flat().map(({ address }) => address),
    ...Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map((one) => one.address)),
    ...(publicAddress?.split(",").map((address) => address.trim()) ?? []),
  ];
}

/** The driver calls the database by `?host=`, where its address has that. */
function hostsIn({ hostname, searchParams }: URL): string[] {
  return [hostname, ...searchParams.getAll("host").filter((host) => !host.startsWith("/"))];
}
