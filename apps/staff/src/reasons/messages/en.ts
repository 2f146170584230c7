export const en = {
  why: 'Why?',
  usual: {
    cancellation: ['Guest changed their mind', 'Wrong order', 'Sold out', 'Took too long'],
    refund: ['Charged twice', 'Wrong amount', 'Paid another way', 'Guest complained'],
    remake: ['Burnt', 'Wrong dish', 'Dropped', 'Sent back'],
  },
  other: 'Another reason',
};
