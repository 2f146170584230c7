import { forms } from '@comanda/ui/messages/forms.en.ts';

export const en = {
  waiter: 'Call a waiter',
  bill: 'Ask for the bill',
  other: 'Something else',
  otherHint: 'What do you need?',
  send: 'Send',
  howToPay: 'How do you want to pay?',
  methods: { card: 'Card', cash: 'Cash', account: 'On this phone' },
  called: (time: string) => `Called at ${time}`,
  coming: 'Someone is on the way',
  yours: 'Your calls',
  sent: {
    waiter: (time: string) => `Waiter called at ${time}`,
    bill: (time: string) => `Bill requested at ${time}`,
    other: (time: string) => `Request sent at ${time}`,
  },
  toPay: (time: string, amount: string) => `Waiter called at ${time} to take ${amount}`,
  cancel: forms.cancel,
  cancelThis: 'Cancel this call',
  takeBack: (what: string) => `Cancel: ${what}`,
  calling: forms.oneMoment,
  failures: {
    call: 'Your call didn’t go through. Please wave to a waiter.',
    takeBack: 'Not cancelled. Try again.',
    unsure: 'We got no reply. If nobody comes, please wave.',
  },
};
