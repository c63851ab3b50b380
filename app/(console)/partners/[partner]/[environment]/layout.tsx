import type { Metadata } from "next";
import type { ReactNode } from "react";
import { partnerTitle } from "@/app/(console)/partners/_title/partner-title";

type Props = { params: Promise<{ partner: string; environment: string }>; children: ReactNode };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { partner, environment } = await params;
  return partnerTitle(partner, environment);
}

export default function EnvironmentLayout({ children }: Props) {
  return children;
}
