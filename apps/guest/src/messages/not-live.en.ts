export const en = {
  notLive: (time: string) => `No updates since ${time}. What you see may be out of date. Reconnecting…`,
  unread: 'Some of your orders may be missing here. Still trying. The kitchen has what you sent.',
  unreadBill: 'The bill hasn’t loaded completely. Still trying. A waiter can show it to you too.',
};
