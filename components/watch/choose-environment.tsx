"use client";

import { EnvironmentSelect } from "@/components/layout/nav/environment-select";
import { useRouter } from "next/navigation";
import { startTransition, useOptimistic } from "react";

type Props = { environments: readonly string[]; value: string };

/** Selects the Overview's environment, which is part of its URL. */
export function ChooseEnvironment({ environments, value }: Props) {
  const router = useRouter();
  const [shown, show] = useOptimistic(value);
  const choose = (environment: string) =>
    startTransition(() => {
      show(environment);
      router.push(`/overview?environment=${environment}`);
    });
  return <EnvironmentSelect environments={environments} value={shown} onChange={choose} />;
}
