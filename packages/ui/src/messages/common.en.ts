/** Texts that appear in many places. Other messages use them by name: `cancel: common.cancel`. */
export const common = {
  tryAgain: 'Try again',
  tryNow: 'Try now',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  loading: 'Loading…',
  oneMoment: 'One moment…',
  copied: 'Copied',
  keep: 'Keep',
  remove: 'Remove',
  amount: 'Amount',
  name: 'Name',
  password: 'Password',
  email: 'E-mail',
  /** An order's or a dish's status. */
  statuses: {
    received: 'waiting',
    preparing: 'preparing',
    ready: 'ready',
    delivered: 'served',
    cancelled: 'cancelled',
  },
};
