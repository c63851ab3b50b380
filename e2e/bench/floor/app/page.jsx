import { headers } from "next/headers";

/** Rendered for each request, as every page of Gancho is. */
export default async function Page() {
  await headers();
  return <h1>Nothing</h1>;
}
