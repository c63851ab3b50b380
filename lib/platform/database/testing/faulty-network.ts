import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * A network path to a PostgreSQL server that can fall silent: it swallows everything without an error, as when a
 * machine disappears behind a switch. `url` leads through it.
 */
export type FaultyNetwork = Awaited<ReturnType<typeof faultyNetwork>>;

export async function faultyNetwork(serverUrl: string) {
  const url = new URL(serverUrl);
  const folder = url.searchParams.get("host");
  const onward = () =>
    folder
      ? connect(`${folder}/.s.PGSQL.${url.port || "5432"}`)
      : connect(Number(url.port || "5432"), url.hostname);
  const pairs = new Map<Socket, Socket>();
  const silent = new Set<Socket>();
  let swallowsNew = false;
  let slowMs = 0;
  let slowText = "";

  const server = createServer({ allowHalfOpen: true }, (near) => {
    near.on("error", () => undefined);
    near.on("close", () => silent.delete(near));
    if (swallowsNew) {
      silent.add(near);
      near.resume();
      return;
    }
    const far = onward();
    far.on("error", () => near.destroy());
    pairs.set(near, far);
    near.on("data", (data: Buffer) => {
      if (silent.has(near)) return;
      if (slowMs === 0 || !data.includes(slowText)) return far.write(data);
      near.pause();
      setTimeout(() => {
        far.write(data);
        near.resume();
      }, slowMs);
    });
    far.on("data", (data: Buffer) => silent.has(near) || near.write(data));
    near.on("end", () => silent.has(near) || far.end());
    far.on("close", () => silent.has(near) || near.destroy());
    near.on("close", () => {
      pairs.delete(near);
      far.destroy();
    });
  });
  const through = new URL(url);
  through.hostname = "127.0.0.1";
  through.port = String(await listenHere(server));
  through.searchParams.delete("host");
  return {
    url: through.href,
    /** Connections that are established now swallow everything from here on. New ones go through, unless `newOnes`. */
    swallow: ({ newOnes }: { newOnes: boolean }) => {
      for (const near of pairs.keys()) silent.add(near);
      swallowsNew = newOnes;
    },
    /** Delays everything that is sent, or what contains `text`, by so many milliseconds; 0: no delay, as at first. */
    slowBy: (ms: number, text = "") => {
      [slowMs, slowText] = [ms, text];
    },
    /** New connections go through again; those that swallow go on to do so. */
    heal: () => {
      swallowsNew = false;
    },
    stop: async () => {
      for (const near of [...pairs.keys(), ...silent]) near.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
