import { rateOf } from '@comanda/contracts/bill-amounts';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { Bill } from '@comanda/contracts/bills';
import type { ItemOption } from '@comanda/contracts/item-options';
import { formatDateWithYear, formatMoney, formatRate, formatTime } from '../format.ts';
import { measureText } from '../measure-text.ts';
import { countedName } from '../options/option-text.ts';
import { discountLabel } from './discount-label.ts';
import { billMessages } from './messages.ts';
import { hasArrived } from './paid-by.ts';

/** The characters of a line: as many as fit on a roll of 80 mm. */
const width = 40;
const line = '-'.repeat(width);

/** Returns a text with an amount at the right. A text without enough room for both gets the amount below it. */
function row(text: string, amount: string): string {
  const room = width - text.length - amount.length;
  return room > 0 ? text + ' '.repeat(room) + amount : `${text}\n${amount.padStart(width)}`;
}

/** Returns a line for each option, indented below what it belongs to. */
const optionRows = (options: readonly ItemOption[], dishes: number, indent = '  '): string[] =>
  options.flatMap((option) => [
    indent + countedName(option, dishes),
    ...optionRows(option.options, dishes, `${indent}  `),
  ]);

/** Returns the payment's method; for a Pix that the bank hasn't reported, also that staff have confirmed it. */
function methodOf({ method, pix }: BillPayment): string {
  const { methods, receipt } = billMessages();
  return pix?.confirmed_by === 'staff' ? receipt.byStaff(methods[method]) : methods[method];
}

/**
 * Returns the bill as a receipt in plain text, for a file or a narrow printer: the dishes, the sums and the payments. It says that
 * it isn't a tax document. `restaurant` is the restaurant's name; empty if it has none.
 */
export function receiptText(bill: Bill, restaurant: string): string {
  const words = billMessages();
  const { receipt } = words;
  const { number, table, closed_at: closedAt, created_at: createdAt, service_charge: service } = bill;
  const at = closedAt ?? createdAt;
  const show = (amount: string): string => formatMoney(amount, bill.currency);
  const arrived = bill.payments.filter(hasArrived);
  return [
    restaurant === '' ? 'Comanda' : restaurant,
    [number === null ? receipt.title : receipt.numbered(number), table !== null && receipt.table(table)]
      .filter(Boolean)
      .join(' · '),
    `${formatDateWithYear(at)}, ${formatTime(at)}`,
    line,
    ...bill.lines.flatMap((each) => {
      const weight = measureText(each, bill.currency);
      return [
        row(`${each.quantity} ${each.name}`, show(each.amount)),
        ...(weight === null ? [] : [`  ${weight}`]),
        ...optionRows(each.options ?? [], each.quantity),
      ];
    }),
    line,
    ...bill.discounts.map((discount) => row(discountLabel(discount, bill), show(`-${discount.amount}`))),
    ...(rateOf(service.rate) > 0n && service.included
      ? [row(words.service(formatRate(service.rate)), show(service.amount))]
      : []),
    ...(bill.rounding === '0.00' ? [] : [row(words.rounding, show(bill.rounding))]),
    row(words.total, show(bill.total)),
    ...(bill.tips === '0.00' ? [] : [row(words.tip, show(bill.tips))]),
    ...arrived.map((payment) => row(methodOf(payment), show(payment.total))),
    ...arrived
      .filter(({ status }) => status === 'refunded')
      .map(({ total }) => row(receipt.refunded, show(`-${total}`))),
    ...(bill.remaining === '0.00' ? [] : [row(words.leftToPay, show(bill.remaining))]),
    line,
    receipt.noTaxDocument,
  ].join('\n');
}
