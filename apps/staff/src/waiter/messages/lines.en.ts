import { common } from '@comanda/ui/messages/common.en.ts';

export const en = {
  /** What screen readers say before a dish that opens what can be done with it. */
  change: 'Change:',
  acts: { label: 'What to do', off: 'Take off', move: 'Move', remake: 'Remake' },
  about: (ticket: number, status: string) => `Order #${ticket} · ${status}`,
  howMany: 'How many',
  countOf: (count: number, all: number) => `${count} of ${all}`,
  all: (count: number) => `All ${count}`,
  off: {
    notBegun: 'The kitchen hasn’t started. It comes off the bill. You can’t undo this.',
    begun: 'The kitchen has started and is told to stop. It comes off the bill. You can’t undo this.',
    yes: (dishes: string) => `Take off ${dishes}`,
    served: 'It was served, so only a manager can take it off.',
  },
  move: {
    text: 'To another bill. Nothing is sent to the kitchen again.',
    which: 'Which dishes move',
    none: 'Choose at least one dish.',
  },
  remake: {
    text: 'The kitchen makes it again. It costs nothing.',
    yes: (dishes: string) => `Remake ${dishes}`,
    mark: (reason: string) => `Remake: ${reason}`,
  },
  paidBy: (who: string, time: string) => `Paid by ${who} at ${time}. Refund that first.`,
  paidWith: (method: string, time: string) => `Paid (${method}) at ${time}. Refund that first.`,
  beingPaid: 'A guest is paying for it now. Wait until that is done.',
  guests: 'Guests',
  retry: common.tryAgain,
  moved: (dishes: string, table: string) => `${dishes} moved to table ${table}, with the bill.`,
  remade: (dishes: string, ticket: number) => `The kitchen makes ${dishes} again, order #${ticket}.`,
};
