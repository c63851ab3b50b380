import { Skeleton } from "@/components/ui/skeleton";
import type { ReactNode } from "react";
import { PageHeader } from "./page-header";

type PageSkeletonProps = {
  title: string;
  /** Says in words that the page is on its way. */
  loading: string;
  /** Its shape, where that is not a card or two. */
  children?: ReactNode;
};

/** A page of which only the name is known yet. */
export function PageSkeleton({ title, loading, children }: PageSkeletonProps) {
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={title} intro={loading} />
      {children ?? (
        <>
          <Skeleton className="h-64" />
          <Skeleton className="h-40" />
        </>
      )}
    </div>
  );
}
