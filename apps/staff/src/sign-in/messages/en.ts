import { common } from '@comanda/ui/messages/common.en.ts';
import { plural } from '@comanda/ui/format.ts';

export const en = {
  staff: 'Staff',
  forStaffOnly: 'This screen is for the staff. Sign in as a waiter or a manager.',
  ended: (time: string) => `You were signed out at ${time}. The tickets are frozen. Sign in to continue.`,
  who: 'Who are you?',
  people: 'People',
  nobody: 'No one has set a tablet PIN yet. Sign in with e-mail and password, then choose “Tablet PIN” in the menu.',
  missing: 'Your name isn’t here? Sign in with e-mail and password, then choose “Tablet PIN” in the menu.',
  byPassword: 'Sign in with e-mail and password',
  toNames: 'Back to the names',
  toSetup: 'I have a setup code',
  tryAgain: common.tryAgain,
  pinOf: (name: string) => `Tablet PIN of ${name}`,
  notMe: 'Someone else',
  wrong: (left: number) =>
    plural(left, { one: 'Wrong tablet PIN. 1 try left.', other: `Wrong tablet PIN. ${left} tries left.` }),
  wrongToDo: 'You aren’t signed in. Enter it again.',
  blocked: (time: string) => `Too many wrong tablet PINs. Try again at ${time}.`,
  blockedToDo: 'Wait, or sign in with e-mail and password.',
  usedUp: 'Too many wrong tablet PINs. This PIN is now blocked here.',
  usedUpToDo: 'Sign in with e-mail and password, and set a new one with “Tablet PIN” in the menu.',
  forgottenAsk: 'Is this a shared tablet?',
  forgotten: 'Its browser has forgotten it. A manager can sign in and register it again under “Screens”.',
  removed: 'This device is no longer a registered tablet.',
  removedToDo: 'Sign in with e-mail and password. A manager can register it again.',
};
