/**
 * One instance for the whole process. The framework may load a module once per bundle layer,
 * so a plain module variable could silently become two pools, two caches or two locks.
 */
export function processWide<Value>(name: string, make: () => Value): Value {
  const key = Symbol.for(`gancho.${name}`);
  const holder = globalThis as { [key: symbol]: unknown };
  if (!(key in holder)) holder[key] = make();
  return holder[key] as Value;
}
