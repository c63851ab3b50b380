export async function GET(request) {
  const answer = await fetch(`${process.env.UPSTREAM}/api/v1/webhooks`, {
    headers: { authorization: request.headers.get("authorization") },
    cache: "no-store",
  });
  return Response.json(await answer.json(), { status: answer.status });
}
