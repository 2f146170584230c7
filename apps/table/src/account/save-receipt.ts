import type { Transfer } from './accounts.ts';

/** Saves the text that the restaurant has signed as a file. */
export function saveReceipt({ id, receipt }: Transfer): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${receipt}\n`], { type: 'text/plain' }));
  link.download = `comanda-receipt-${id}.txt`;
  link.click();
  URL.revokeObjectURL(link.href);
}
