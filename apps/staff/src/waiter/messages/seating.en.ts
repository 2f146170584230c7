import { plural } from '@comanda/ui/format.ts';

export const en = {
  filters: { label: 'Which tables', wants: 'Needs attention', paid: 'Seated, paid', toClean: 'To clean' },
  noneFits: 'No tables.',
  byNeed: 'By need',
  covers: (count: number) => plural(count, { one: '1 guest', other: `${count} guests` }),
  guests: (count: number) => plural(count, { one: '1 guest ordered', other: `${count} guests ordered` }),
  seatedFor: (minutes: number) => `Seated ${minutes}\u00a0min`,
  paidFor: (minutes: number | null) => (minutes === null ? 'Paid' : `Paid ${minutes}\u00a0min ago`),
  toClean: 'To clean',
  clean: 'Clean',
  isClean: (table: string) => `Table ${table} is clean`,
  move: 'Move to',
  moveAsk: (table: string) => `Move the guests of table ${table} to which table?`,
  moveFollows: 'Their bill, phones and open orders move with them.',
  join: 'Join with',
  joinAsk: (table: string) => `Join table ${table} with which table?`,
  joinFollows: 'Both tables will share one bill.',
  joinSure: (one: string, other: string) => `Join tables ${one} and ${other}?`,
  oneBill: (one: string, other: string) =>
    `Tables ${one} and ${other} will share one bill. Nothing is sent to the kitchen again. You can’t undo this.`,
  joinYes: 'Yes, join them',
  noTable: 'All tables are taken. Join with another table instead?',
  nothingToJoin: 'There’s no other table.',
  cleaned: (table: string) => `Table ${table} is clean.`,
  moved: (table: string, to: string) => `The guests of table ${table} are now at table ${to}.`,
  joined: (table: string, other: string) => `Tables ${table} and ${other} are joined.`,
  billStayed: (table: string) => `The bill of table ${table} stays as it is.`,
  closesToo: (tables: readonly string[]) =>
    plural(tables.length, {
      one: `Table ${tables[0]} is closed too.`,
      other: `Tables ${tables.join(', ')} are closed too.`,
    }),
  joinedWith: (tables: readonly string[]) =>
    plural(tables.length, { one: `Joined with table ${tables[0]}`, other: `Joined with tables ${tables.join(', ')}` }),
};
