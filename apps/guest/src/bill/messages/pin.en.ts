import { common } from '@comanda/ui/messages/common.en.ts';
import { forms } from '@comanda/ui/messages/forms.en.ts';

export const en = {
  title: 'Pay from your account',
  change: 'Change',
  to: 'to',
  fromAccount: (id: number) => `from account ${id}`,
  reading: forms.loading,

  signInText: 'Sign in. Your choice is saved, and you keep your place at the table.',
  seatTitle: 'Your place at the table',
  seatTaking: 'You’re signed in. Keeping your place at the table…',
  seatFailed: 'We couldn’t keep your place at the table.',
  seatScan: 'Scan the code on your table again. You weren’t charged.',
  seatAgain: common.tryAgain,

  noPinTitle: 'First you need a PIN',
  noPinText: 'Six digits that only you know. Nobody can pay with your money without them. Your choice is saved.',
  choosePin: 'Choose a PIN',
  blockedHint: 'You weren’t charged. You can pay by card or in cash.',
  noAccountTitle: 'You don’t have an account here',
  noAccountText: 'You can pay another way. You weren’t charged.',
  noMoneyTitle: 'Not enough money in your account',
  noMoneyText: (total: string) =>
    `You need ${total}. You weren’t charged. A manager can top up your account with cash.`,
  tryAgain: common.tryAgain,
  accountTitle: 'From which account?',
  accountName: (id: number, name: string | null) => (name === null ? `Account ${id}` : `Account ${id}, ${name}`),

  changedText: 'Someone ordered or paid. You weren’t charged.',
  notReservedTitle: 'You weren’t charged',

  reservedUntil: (time: string) => `Reserved until ${time}`,
  nothingTaken: 'You weren’t charged.',
  pinAgain: 'Enter your PIN again.',
  notTaken: 'Your PIN didn’t reach the server.',
  asking: 'Paying…',
  claimed: 'Being confirmed',
  claimedHint: 'Your payment is still processing. Don’t pay again.',
  late: 'No reply yet. Don’t pay again; we’re still checking.',
  lateHint: 'You’ll be charged once at most. You can view the bill in the meantime.',
  askNow: 'Check now',

  part: 'Your share',
  account: 'From your account',
  number: 'Transfer',
  numbered: (id: number) => `No. ${id}`,
  save: 'Save receipt',
  noReceipt: 'You’ll find the receipt in your account’s statement.',

  ended: 'You weren’t charged',
  endings: {
    failed: 'The payment was declined. Your share is unpaid again.',
    expired: 'Your reservation expired. Your share is unpaid again.',
    cancelled: 'The reservation was cancelled. Your share is unpaid again.',
  },
  reasons: {
    insufficient_funds: 'There isn’t enough money in your account. Your share is unpaid again.',
    transfers_stopped:
      'The restaurant has paused payments from accounts. Your share is unpaid again: pay by cash or card.',
    transaction_password_busy: 'Your PIN is already being checked. Try again in a moment.',
    transaction_password_absent: 'Your PIN was removed. Choose a new one and try again.',
  },
  beginAgain: 'Start again',
};
