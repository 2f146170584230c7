import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { Bill } from '@comanda/contracts/bills';
import { byGuest } from '@comanda/ui/bill/by-guest.ts';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { formatList } from '@comanda/ui/format.ts';
import { isUnnamed } from '@comanda/ui/guest-name.ts';
import { payMessages } from './messages.ts';

/** Describes the part that a payment pays: `1 of 3 shares`, or the dishes. `bill` is null if it isn't loaded. */
export function partText({ part }: Pick<BillPayment, 'part'>, bill: Bill | null): string {
  const words = payMessages().parts;
  if (part.shares !== undefined && part.of !== undefined) return words.shares(part.shares, part.of);
  if (part.rest === true) return words.rest;
  const names = (part.lines ?? []).flatMap(({ line_id: id, quantity = 1 }) => {
    const name = bill?.lines.find((line) => line.id === id)?.name;
    return name === undefined ? [] : [quantity > 1 ? `${quantity} ${name}` : name];
  });
  return names.length === 0 ? words.amount : formatList(names);
}

/** Returns who pays: `You`, a guest's name or number as on the bill, or null for a payment that staff have recorded. */
export function payerOf({ payer }: BillPayment, bill: Bill | null, isOwn: (userId: number) => boolean): string | null {
  if (payer === null) return null;
  if (isOwn(payer.id)) return billMessages().you;
  const group = byGuest(bill?.lines ?? [], isOwn).find(({ lines }) =>
    lines.some(({ ordered_by: by }) => by.id === payer.id),
  );
  return group?.name ?? (isUnnamed(payer.name) ? payMessages().aGuest : payer.name);
}
