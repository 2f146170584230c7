import type { CallKind } from '@comanda/contracts/calls';
import { plural } from '@comanda/ui/format.ts';

export const en = {
  title: 'Calls',
  label: (table: string | null, kind: CallKind) => `Call, ${table === null ? 'no table' : `table ${table}`}, ${kind}`,
  colleagues: (count: number) => `Colleagues are on ${plural(count, { one: '1 call', other: `${count} calls` })}`,
  oldest: (age: string) => `, oldest ${age}`,
  noTable: 'A guest',
  kinds: { waiter: 'needs a waiter', bill: 'wants to pay', other: 'has a request' },
  methods: { cash: 'in cash', card: 'by card', account: 'on the phone' },
  go: 'I’ll go',
  done: 'Done',
  giveBack: 'I can’t go',
  youGo: 'You’re on it',
  colleagueGoes: 'A colleague is on it',
  taken: 'A colleague already took it.',
  failed: 'No response. Check the Wi-Fi and try again.',
  notRead: 'The calls haven’t loaded, so some may be missing. This phone keeps trying.',
};
