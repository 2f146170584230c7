import { normalEmail } from './email-address.ts';

/** Members of details that say what exactly a user agrees to [RFC 9396]. */
export type AnyDetails = Readonly<Record<string, unknown>> & { readonly type: string };

/** Which member of the input a member of the details is. */
export type DetailsSource<Name extends string = string> =
  /** This one. Without it there are no details. */
  | Name
  /** This one, if the input has it. */
  | { readonly ifGiven: Name }
  /** This one; but who agrees may leave it open: then any will do. */
  | { readonly mayBeOpen: Name }
  /** `true` if the input has this one, whose value is not told. */
  | { readonly trueIfGiven: Name };

/** How the details of a call are computed from its input: path parameters, query and body in one object. */
export type DetailsRule<Name extends string = string> = {
  readonly type: string;
  readonly members: Readonly<Record<string, DetailsSource<Name>>>;
};

type Source = { from: string; kind: 'required' | 'ifGiven' | 'mayBeOpen' | 'trueIfGiven' };
export function readSource(source: DetailsSource): Source {
  if (typeof source === 'string') return { from: source, kind: 'required' };
  if ('ifGiven' in source) return { from: source.ifGiven, kind: 'ifGiven' };
  if ('mayBeOpen' in source) return { from: source.mayBeOpen, kind: 'mayBeOpen' };
  return { from: source.trueIfGiven, kind: 'trueIfGiven' };
}

/** What exactly a call with this input does; null if the input does not say all of it. */
export function detailsOf(rule: DetailsRule, input: Readonly<Record<string, unknown>>): AnyDetails | null {
  const details: Record<string, unknown> & { type: string } = { type: rule.type };
  for (const [name, source] of Object.entries(rule.members)) {
    const { from, kind } = readSource(source);
    const value = input[from];
    if (value !== undefined) details[name] = kind === 'trueIfGiven' ? true : value;
    else if (kind === 'required' || kind === 'mayBeOpen') return null;
  }
  return details;
}

/** What means the same is the same text: amounts and prices have two decimal places, e-mail addresses are as they are stored. */
function normalMember(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'email') return normalEmail(value);
  if (name !== 'amount' && name !== 'price') return value;
  const [whole = '', cents = ''] = value.split('.');
  return `${whole}.${cents.padEnd(2, '0')}`;
}

export const normalDetails = (details: AnyDetails): AnyDetails => ({
  ...Object.fromEntries(Object.entries(details).map(([name, value]) => [name, normalMember(name, value)])),
  type: details.type,
});

type Compared = { agreed: AnyDetails; done: AnyDetails; rules: readonly DetailsRule[] };

/**
 * Which members of what is done are not those that the user agreed to. Empty if it is exactly that. `rules`: how details of
 * this endpoint key are computed.
 * A member that the user left out is one that what is done must not have, except where it may be left open.
 */
export function detailsDefects({ agreed, done, rules }: Compared): string[] {
  const mayBeOpen = (name: string): boolean =>
    rules.some(({ members }) => {
      const source = members[name];
      return source !== undefined && readSource(source).kind === 'mayBeOpen';
    });
  return Object.keys({ ...agreed, ...done }).filter((name) => {
    if (agreed[name] === undefined && mayBeOpen(name)) return false;
    return normalMember(name, agreed[name]) !== normalMember(name, done[name]);
  });
}
