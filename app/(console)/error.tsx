"use client";

export { ErrorState as default } from "@/components/layout/states/error-state";
