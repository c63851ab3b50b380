/** A made-up id, of the shape that ours have. */
const madeUpId = "11111111-1111-4111-8111-111111111111";

/** Ids that stand in addresses besides the partner's; what they name need not be there, as access is asked first. */
export function fill(address: string, partnerId: string): string {
  return address
    .replace("[partner]", partnerId)
    .replace("[environment]", "sandbox")
    .replace(/\[[a-z]+\]/g, madeUpId);
}
