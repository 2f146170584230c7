export const en = {
  filterText: 'We hide dishes that contain it, as listed by the kitchen. Ask a waiter about traces.',
  filterDone: 'Show dishes',
  filterClear: 'Clear all',
  nothingFound: (text: string) => `No dishes match “${text}”`,
  nothingFoundHint: 'Try a shorter word, or browse the menu.',
  nothingLeft: 'No dishes to show',
  nothingLeftHint: 'Every dish here contains something you can’t eat. Ask a waiter what the kitchen can change.',
  clearSearch: 'Clear search',
  emptyMenu: 'The menu is empty',
  emptyMenuHint: 'Ask a waiter what’s available today.',
  menuOf: (time: string) => `You’re offline. This menu is from ${time}.`,
  menuOfHint: 'Prices and availability may have changed.',
};
