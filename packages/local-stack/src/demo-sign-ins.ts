import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { refusal } from './servers/refusal.ts';
import { writeAtomically } from './write-atomically.ts';

const emails = {
  manager: 'manager@comanda.test',
  waiter: 'waiter@comanda.test',
  customer: 'customer@comanda.test',
  second: 'second@comanda.test',
} as const;
type DemoUser = keyof typeof emails;
export type DemoSignIn = { email: string; password: string };
/** The credentials of each demo user. */
export type DemoSignIns = Record<DemoUser, DemoSignIn> & {
  /** The manager's PIN. The other users don't have one yet. */
  managerPin: string;
};

function signInsOf(managerPin: string, newPassword: () => string): DemoSignIns {
  const signIn = (user: DemoUser): DemoSignIn => ({ email: emails[user], password: newPassword() });
  return {
    manager: signIn('manager'),
    waiter: signIn('waiter'),
    customer: signIn('customer'),
    second: signIn('second'),
    managerPin,
  };
}

/** Sign-ins for a demo that only this machine can reach. They aren't secret, because this repository is public. */
export const publicSignIns: DemoSignIns = signInsOf('739152', () => 'mesa-farofa-violao');

/**
 * Loads the sign-ins for a demo that others can reach. At the first start, creates them in a file at `path` that only its owner
 * can read.
 * @throws Refusal if the file is damaged
 */
export function loadDemoSignIns(path: string): DemoSignIns {
  if (existsSync(path)) return parse(path);
  const signIns = signInsOf(randomPin(), randomPassword);
  writeAtomically(path, `${JSON.stringify(signIns, null, 2)}\n`, 0o600);
  return signIns;
}

/** Returns the sign-ins as text, with one line for each user. */
export function describeSignIns({ managerPin, ...users }: DemoSignIns): string[] {
  return Object.values(users).map(
    ({ email, password }) => `${email.padEnd(22)} ${password}${email === emails.manager ? `   PIN ${managerPin}` : ''}`,
  );
}

/** The characters in passwords, without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
/** Creates a random password: four groups of four characters, with 79 bits of entropy. */
const randomPassword = (): string =>
  Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')).join(
    '-',
  );

/**
 * Creates a random PIN that isn't easy to guess: it has six different digits, and none of its pairs could be a day, month or
 * year.
 */
export function randomPin(): string {
  for (;;) {
    const [a, b, c, d, e] = Array.from({ length: 5 }, () => randomInt(1, 10));
    const pin = `${a}${b}${c}0${d}${e}`;
    const pairs = [pin.slice(0, 2), pin.slice(2, 4), pin.slice(4)].map(Number);
    if (new Set(pin).size === 6 && pairs.every((pair) => pair > 31)) return pin;
  }
}

function parse(path: string): DemoSignIns {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as DemoSignIns;
  } catch (error) {
    throw refusal(
      `${path} is damaged, and nobody knows the passwords of the demo without it. Delete the data and start again.`,
      error,
    );
  }
}
