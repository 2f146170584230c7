import { plural } from '@comanda/ui/format.ts';

export const en = {
  keptBumps: (count: number) =>
    plural(count, {
      one: '1 bump is kept on this device and not sent. It is sent when you sign in here again.',
      other: `${count} bumps are kept on this device and not sent. They are sent when you sign in here again.`,
    }),
  keptWork: 'An order or a “Served” is kept on this device and not sent. It is sent when you sign in here again.',
  signOutAnyway: 'Sign out all the same',
  signOut: 'Sign out',
  signedInAs: (name: string, role: string) => `Signed in as ${name}, ${role}`,
};
export type Messages = typeof en;
