import { plural } from '@comanda/ui/format.ts';

export const en = {
  keptBumps: (count: number) =>
    plural(count, {
      one: '1 bump hasn’t been sent. It will be when you sign in here again.',
      other: `${count} bumps haven’t been sent. They will be when you sign in here again.`,
    }),
  keptWork: 'An order or a “Served” hasn’t been sent. It will be when you sign in here again.',
  signOutAsk: 'Sign out with unsent work?',
  signOutAnyway: 'Sign out anyway',
  signOut: 'Sign out',
  signedInAs: (name: string, role: string) => `Signed in as ${name}, ${role}`,
};
export type Messages = typeof en;
