import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useGuest } from '../contexts.ts';
import { orderMessages } from './messages.ts';
import { hrefOf } from '../router.ts';

/** The link to the bill, with the amount that is left to pay. It appears once something was ordered. */
export function BillLink() {
  const bill = useGuest().bills.value?.current.value;
  if (!bill) return null;
  // An amount that is being paid now isn't paid yet.
  const isPaid = bill.status !== 'open' || (bill.remaining === '0.00' && bill.reserved === '0.00');
  return (
    <a class="card row progress-link bill-link" href={hrefOf({ page: 'bill' })}>
      <Icon name="wallet" />
      <span class="progress-link-text progress-link-title">
        {isPaid ? orderMessages().billPaid : orderMessages().bill(formatMoney(bill.remaining, bill.currency))}
      </span>
      <Icon name="chevron" />
    </a>
  );
}
