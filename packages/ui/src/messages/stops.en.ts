export const en = {
  transfers: {
    stopped: 'Transfers are stopped',
    instead: 'No money moves between accounts now. Bills are paid by cash or card.',
  },
  sign_ups: {
    stopped: 'No new accounts for now',
    instead: 'Sign in if you have an account. To order, scan the code on your table.',
  },
};
