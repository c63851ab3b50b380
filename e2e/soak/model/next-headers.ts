import { AsyncLocalStorage } from "node:async_hooks";

/** In place of the framework's `next/headers`, for the routes that `program.ts` serves. */

const current = new AsyncLocalStorage<Headers>();

export function serving<Result>(of: Headers, work: () => Result): Result {
  return current.run(of, work);
}

export async function headers(): Promise<Headers> {
  return current.getStore() ?? new Headers();
}

export async function cookies() {
  const pairs = ((await headers()).get("cookie") ?? "")
    .split("; ")
    .map((pair): [string, string] => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)];
    });
  const values = new Map(pairs);
  return {
    get: (name: string) => {
      const value = values.get(name);
      return value === undefined ? undefined : { name, value };
    },
  };
}
