/** The three calls without which nobody can say that something was saved. */
export async function POST(request) {
  const body = await request.text();
  const address = `${process.env.UPSTREAM}/api/v1/webhooks`;
  const headers = {
    authorization: request.headers.get("authorization"),
    "content-type": "application/json",
  };
  const list = () => fetch(address, { headers, cache: "no-store" }).then((answer) => answer.text());
  await list();
  await fetch(address, { method: "POST", headers, body }).then((answer) => answer.text());
  return new Response(await list());
}
