import type { Metadata } from "next";
import type { ReactNode } from "react";
import { placeTitle } from "@/app/(console)/partners/_title/place-title";

type Props = { params: Promise<{ partner: string; environment: string }>; children: ReactNode };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { partner, environment } = await params;
  return placeTitle(partner, environment);
}

export default function EnvironmentLayout({ children }: Props) {
  return children;
}
