import { setNonce } from "get-nonce";

/**
 * The scroll lock of open dialogs injects a <style>, which the policy allows only with the page's nonce.
 * It is read from the document, not passed down: the document keeps the nonce of its first load,
 * while anything the server sends later would carry another one.
 */
export function shareStyleNonce(): void {
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
  if (nonce) setNonce(nonce);
}
