/** Members of details that say what exactly a user agrees to [RFC 9396]. */
export type AnyDetails = Readonly<Record<string, unknown>> & { readonly type: string };

/** What may be left open: without it, any will do. */
const openMembers: Readonly<Record<string, readonly string[]>> = {
  internal_transfer: ['from_account_id'],
  bill_payment: ['from_account_id'],
};

/** The same amount is the same text: with two decimal places. */
function normalMember(name: string, value: unknown): unknown {
  if (name !== 'amount' || typeof value !== 'string') return value;
  const [whole = '', cents = ''] = value.split('.');
  return `${whole}.${cents.padEnd(2, '0')}`;
}

/**
 * Which members of what is done are not those that the user agreed to. Empty if it is exactly that.
 * A member that the user left out is one that what is done must not have, except where it may be left open.
 */
export function detailsDefects(agreed: AnyDetails, done: AnyDetails): string[] {
  const open = openMembers[agreed.type] ?? [];
  return Object.keys({ ...agreed, ...done }).filter((name) => {
    if (agreed[name] === undefined && open.includes(name)) return false;
    return normalMember(name, agreed[name]) !== normalMember(name, done[name]);
  });
}
