/** For the browser's password store, which otherwise would not know whose password is typed in this form. */
export function PasswordOwner({ email }: { email: string }) {
  return <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />;
}
