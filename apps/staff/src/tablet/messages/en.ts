import { common } from '@comanda/ui/messages/common.en.ts';

export const en = {
  switchPerson: (name: string) => `Switch person, ${name}`,
  unsent: 'You have unsent work on this device. It will be sent when you sign in here again.',
  switchAsk: 'Switch with unsent work?',
  switchAnyway: 'Switch anyway',
  title: 'Tablet PIN',
  why: 'Four digits to sign in on this restaurant’s shared tablets. This is not your payment PIN.',
  choose: 'Choose four digits',
  repeat: 'Repeat the four digits',
  weak: 'These digits are too easy to guess.',
  weakToDo: 'Avoid years, repeated digits and equal steps, such as 1234 or 4826.',
  different: 'The two entries don’t match.',
  differentToDo: 'Your tablet PIN wasn’t set. Choose four digits again.',
  password: 'Your password',
  set: 'Set the tablet PIN',
  done: 'Your tablet PIN is set. Your name now appears on registered tablets.',
  close: common.close,
};
