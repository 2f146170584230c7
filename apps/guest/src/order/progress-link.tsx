import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { useGuest, useRouter } from '../contexts.ts';
import { messages } from '../messages.ts';
import { hrefOf } from '../router.ts';
import './progress-link.css';

/** Shows the table's orders in one line, on the menu. Beside the basket there is only room for one word. */
export function ProgressLink() {
  const words = messages();
  const { orders, menu } = useGuest();
  const { navigate } = useRouter();
  if (orders.all.value.length === 0) return null;
  const counts = orders.openCounts.value;
  const parts = (['ready', 'preparing', 'received', 'delivered'] as const)
    .filter((status) => counts[status] > 0)
    .slice(0, 3)
    .map((status) => words.counts[status](counts[status]).replaceAll(' ', '\u00a0'));
  return (
    <a
      class={classNames('progress-link', counts.ready > 0 && 'progress-link-ready')}
      href={hrefOf({ page: 'orders' })}
      onClick={(event) => {
        event.preventDefault();
        navigate({ page: 'orders' });
      }}
    >
      <Icon name={counts.ready > 0 ? 'waiter' : counts.preparing > 0 ? 'flame' : 'receipt'} />
      <span class="progress-link-text">
        <span class="progress-link-title">
          {words.orders}
          <span class="progress-link-more">
            {' · '}
            <span class="money" translate={false}>
              {formatMoney(orders.total.value, menu.currency.value)}
            </span>
          </span>
        </span>
        <span class="progress-link-more">{parts.join(' · ')}</span>
      </span>
      <Icon name="chevron" />
    </a>
  );
}
