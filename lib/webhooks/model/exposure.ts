import type { Configuration } from "./configuration";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";

/** What changes made outside Gancho, which nobody has acknowledged, mean for the next save. */
type Changes = Pick<Configuration, "outside">;

/**
 * The hosts that may know the Authorization value that these types had before; empty where notifications went elsewhere
 * for a while and the host is unknown. Null where no value went to another server.
 */
export function exposureOf(
  { outside = [] }: Changes,
  types: readonly WebhookType[],
): { hosts: string[] } | null {
  const hosts = outside.flatMap(({ type, before, after, earlier = [], hadValue }) => {
    if (!types.includes(type) || !before) return [];
    const isShown = before.fingerprint !== null || before.conflict || before.hidden === "masked";
    if (!isShown && !hadValue) return [];
    const was = hostOf(before.callbackUrl);
    const others = [...earlier, ...(after ? [after.callbackUrl] : [])]
      .map(hostOf)
      .filter((host) => host !== was);
    if (others.length > 0) return others;
    const isBack =
      before.callbackUrl === after?.callbackUrl && before.fingerprint === after.fingerprint;
    return isBack ? [null] : [];
  });
  return hosts.length > 0 ? { hosts: [...new Set(hosts.filter((host) => host !== null))] } : null;
}

/** Whether an address leads back to the server that the type's notifications went to before. */
export function leadsBack({ outside = [] }: Changes, type: WebhookType, url: string): boolean {
  const before = outside.find((change) => change.type === type)?.before;
  return before ? hostOf(before.callbackUrl) === hostOf(url) : false;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
