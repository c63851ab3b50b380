/** Who is asking, in tests below the cookie. The test file mocks `readSession` with `sessionInTest`. */
let userId: string | null = null;

export async function sessionInTest() {
  return userId === null ? null : { userId };
}

export function signInAs(id: string | null): void {
  userId = id;
}
