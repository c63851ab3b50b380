"use client";

export { ErrorState as default } from "@/components/shell/error-state";
