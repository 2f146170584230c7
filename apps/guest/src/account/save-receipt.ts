import { formatDateWithYear, formatMoney, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { saveFile } from '@comanda/ui/save-file.ts';
import type { Transfer } from './accounts.ts';
import { accountMessages } from './messages.ts';

/** Downloads a text file with a readable summary of the transfer, and below it the text that the restaurant has signed. */
export function saveReceipt(transfer: Transfer): void {
  const words = accountMessages();
  const { id, kind, amount, currency, description, created_at: at, receipt } = transfer;
  const restaurantAs = (wanted: Transfer['kind'], account: number): string =>
    kind === wanted ? words.restaurant : words.accountLower(account);
  const lines = [
    `Comanda · ${words.receipt} · ${words.numbered(id)}`,
    formatMoney(amount, currency),
    `${words.from} ${restaurantAs('bill_refund', transfer.from_account_id)} ${words.to} ${restaurantAs('bill_payment', transfer.to_account_id)}`,
    ...(description === null ? [] : [description]),
    `${formatDateWithYear(at)}, ${formatTimeWithSeconds(at)}`,
    '',
    words.provedBy,
    receipt,
  ];
  saveFile(new Blob([`${lines.join('\n')}\n`], { type: 'text/plain' }), words.receiptFile(id));
}
