"use client";

import { useHere } from "@/components/layout/here";
import { useIsProduction } from "@/components/layout/nav/environment-badge";
import { capturesQuery } from "@/lib/capture/client/query";
import type { Captures } from "@/lib/capture/model/capture";
import { useQuery } from "@tanstack/react-query";

/** The dashboard's own addresses of this environment; null in production, which has none, and until they are known. */
export function useCaptures(): Captures | null {
  const { ref, environment } = useHere();
  const isTest = !useIsProduction(environment);
  const { data } = useQuery({ ...capturesQuery(ref), enabled: isTest });
  return (isTest && data) || null;
}
