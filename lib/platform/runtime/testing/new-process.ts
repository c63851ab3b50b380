/** What `processWide` of lib/platform/runtime keeps in this process. */
const holder = globalThis as { [key: symbol]: unknown };
const keys = () =>
  Object.getOwnPropertySymbols(holder).filter(({ description }) =>
    description?.startsWith("gancho."),
  );

/** Takes all of it out, as if the process had just started; the returned function puts it back. */
export function forgetProcessWide(): () => void {
  const values = new Map(keys().map((key) => [key, holder[key]]));
  for (const key of values.keys()) Reflect.deleteProperty(holder, key);
  return () => {
    forgetProcessWide();
    for (const [key, value] of values) holder[key] = value;
  };
}

/** Gives the process these environment variables alone; the returned function puts the others back. */
export function setEnvironment(env: Readonly<Record<string, string | undefined>>): () => void {
  const before = { ...process.env };
  for (const name of Object.keys(before)) Reflect.deleteProperty(process.env, name);
  for (const [name, value] of Object.entries(env))
    if (value !== undefined) process.env[name] = value;
  return () => void setEnvironment(before);
}
