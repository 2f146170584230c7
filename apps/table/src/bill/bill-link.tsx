import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { messages } from '../messages.ts';
import { hrefOf } from '../router.ts';

/** The way to the bill, once something was ordered: what is left to pay. */
export function BillLink() {
  const { navigate } = useRouter();
  const bill = useGuest().bills.value?.current.value;
  if (!bill) return null;
  const left = bill.status === 'open' && bill.remaining !== '0.00';
  return (
    <a
      class="progress-link bill-link"
      href={hrefOf({ page: 'bill' })}
      onClick={(event) => {
        event.preventDefault();
        navigate({ page: 'bill' });
      }}
    >
      <Icon name="wallet" />
      <span class="progress-link-text progress-link-title">
        {left ? messages().bill(formatMoney(bill.remaining, bill.currency)) : messages().billPaid}
      </span>
      <Icon name="chevron" />
    </a>
  );
}
