/** Texts that appear in many places. Other messages use them by name: `close: common.close`. */
export const common = {
  tryAgain: 'Try again',
  tryNow: 'Try now',
  close: 'Close',
  copied: 'Copied',
  /** An order's or a dish's status. */
  statuses: {
    received: 'waiting',
    preparing: 'preparing',
    ready: 'ready',
    delivered: 'served',
    cancelled: 'cancelled',
  },
};
