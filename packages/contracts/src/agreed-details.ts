import { normalEmail } from './email-address.ts';

/** Fields that state exactly what a user authorizes [RFC 9396]. */
export type AnyDetails = Readonly<Record<string, unknown>> & { readonly type: string };

/** The input field from which a field in the details gets its value. */
export type DetailsSource<Name extends string = string> =
  /** The input field with this name. If the input lacks this field, the call has no details. */
  | Name
  /** The input field with this name, if the input has it. */
  | { readonly ifGiven: Name }
  /** The input field with this name. The user may leave it open when they authorize the call; any value is then accepted. */
  | { readonly mayBeOpen: Name }
  /** `true` if the input has a field with this name. The field's value is a secret, so the details do not contain it. */
  | { readonly trueIfGiven: Name };

/** The rule for computing a call's details from its input: path parameters, query and body in one object. */
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

/** Returns the exact details for a call with this input; null if the input lacks a required field. */
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

/**
 * Normalizes a value, so that values with the same meaning are equal: amounts and prices get two decimal places, and e-mail
 * addresses get the form in which they are stored.
 */
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
 * Returns the names of the fields in which a call differs from what the user authorized; empty if nothing differs. `rules`
 * contains the rules of all calls with this endpoint key. If the user left out a field, the call must leave it out too, unless
 * the rules allow the field to be left open.
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
