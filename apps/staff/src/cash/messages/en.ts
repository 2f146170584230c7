import { common } from '@comanda/ui/messages/common.en.ts';
import { forms } from '@comanda/ui/messages/forms.en.ts';

export const en = {
  /** The name of the drawer that always exists, until a manager has renamed it. */
  main: 'Main drawer',
  drawers: 'Cash drawers',
  form: (drawer: string) => `Count ${drawer}`,
  counted: (sign: string) => `Counted (${sign})`,
  hint: 'Everything in it, with the change fund.',
  addedUp: 'Notes and coins, added up.',
  invalid: 'Enter what you counted, such as 860.00.',
  pieces: 'Count notes and coins',
  piecesTitle: 'Notes and coins',
  piece: (value: string) => `How many ${value}`,
  invalidPiece: 'Enter whole numbers only.',
  onlyTotal: 'Enter the total instead',
  submit: 'Save count',
  submitWith: (amount: string) => `Save count: ${amount}`,
  cancel: forms.cancel,
  retired: {
    happened: 'This drawer was retired.',
    toDo: 'Nothing was saved. Choose another drawer. A manager can bring this one back.',
  },
  page: {
    title: 'Count cash',
    hint: 'Count everything in the drawer. A manager sees whether it’s right.',
    back: 'Tables',
    tryAgain: common.tryAgain,
    again: 'Count again',
    saved: (drawer: string, amount: string, time: string) => `${drawer}: ${amount} saved at ${time}.`,
  },
  /** The cash drawer that gets what guests pay in cash. */
  to: (drawer: string) => `To: ${drawer}`,
  /** The cash drawer from which a refund is taken. */
  from: (drawer: string) => `From: ${drawer}`,
  choose: 'Which drawer does this device use?',
};
