import { common } from './common.en.ts';

export const en = {
  newVersionSince: (time: string) => `This screen was updated at ${time}.`,
  close: common.close,
  tryAgain: common.tryAgain,
  loading: 'Loading…',
  notLoaded: 'This couldn’t be loaded. Check the connection.',
  copy: 'Copy',
  copied: common.copied,
  requestId: 'Reference',
  fewer: 'One less',
  more: 'One more',
  quantity: 'Quantity',
  each: (counted: string) => `${counted} each`,
  tableOf: (table: string) => `Table ${table}`,
};
