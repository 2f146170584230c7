import { common } from '@comanda/ui/messages/common.en.ts';
import { forms } from '@comanda/ui/messages/forms.en.ts';

export const en = {
  title: (name: string) => `Welcome, ${name}`,
  youAre: { waiter: 'You’re invited as a waiter.', manager: 'You’re invited as a manager.' },
  signInWith: 'You will sign in with',
  password: 'Choose a password',
  passwordHint: 'At least 8 characters. No one else will see it.',
  pin: 'Tablet PIN',
  pinHint:
    'Four digits to sign in on the restaurant’s tablets. No years, and no pattern such as 1234 or 4826. You can set it later.',
  pinErrors: {
    length: 'Enter four digits, or leave it empty.',
    weak: 'This PIN is too easy to guess. Nothing was saved: choose four digits without a pattern.',
  },
  accept: 'Save and sign in',
  accepting: forms.oneMoment,
  invalid: 'This link no longer works',
  invalidHint:
    'It was used, replaced or withdrawn, or it has expired. If you chose a password, sign in with it. If not, ask a manager for a new link.',
  toSignIn: 'Go to sign-in',
  tryAgain: common.tryAgain,
};
