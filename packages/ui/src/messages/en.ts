import { common } from './common.en.ts';

export const en = {
  newVersionSince: (time: string) => `This screen was updated at ${time}.`,
  close: common.close,
  copy: 'Copy',
  copied: common.copied,
  requestId: 'Reference',
  fewer: 'One less',
  more: 'One more',
  quantity: 'Quantity',
  tableOf: (table: string) => `Table ${table}`,
  toDark: 'Dark',
  toLight: 'Light',
};
