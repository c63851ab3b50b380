import { useSyncExternalStore } from "react";

/** Whether this render takes over what the server drew; also true while the server draws it. */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(subscribe, no, yes);
}

const subscribe = () => () => {};
const yes = () => true;
const no = () => false;
