export const en = {
  transfers: {
    stopped: 'Transfers are paused',
    instead: 'Accounts can’t send money right now. Pay by cash or card.',
  },
  sign_ups: {
    stopped: 'No new accounts for now',
    instead: 'Sign in if you have an account. To order, scan the code on your table.',
  },
};
