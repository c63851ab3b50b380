/**
 * What a person wrote, so that no mail program makes a link of it: they do of whatever looks like an address, also in
 * plain text. Visibly, as reports of attacks write addresses: `https: //evil[.]example`.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll("://", ": //").replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, "[.]");
}
