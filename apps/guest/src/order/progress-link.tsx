import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { Money } from '@comanda/ui/money.tsx';
import { useGuest, useOrderSession } from '../contexts.ts';
import { hrefOf } from '../router.ts';
import { orderMessages } from './messages.ts';
import './progress-link.css';

/** The menu page's link to the orders, with the best news. Beside the basket button, only one word fits. */
export function ProgressLink() {
  const words = orderMessages();
  const { menu } = useGuest();
  const { orders, sending, hasOrders } = useOrderSession();
  const isLate = sending.outgoing.value?.state === 'late';
  const isWarning = isLate || sending.ended.value.length > 0;
  if (!hasOrders.value) return null;
  const counts = orders.openCounts.value;
  const best = (['ready', 'preparing', 'received', 'delivered'] as const).find((status) => counts[status] > 0);
  return (
    <a
      class={classNames(
        'card row progress-link',
        isWarning ? 'on-amber progress-link-warning' : counts.ready > 0 && 'progress-link-ready',
      )}
      href={hrefOf({ page: 'orders' })}
    >
      <Icon name={isWarning ? 'warning' : counts.ready > 0 ? 'waiter' : counts.preparing > 0 ? 'flame' : 'receipt'} />
      <span class="progress-link-text">
        <span class="progress-link-title">
          {isLate ? words.notSentShort : isWarning ? words.lookAtOrder : words.orders}
          {!isWarning && (
            <span class="progress-link-more">
              {' · '}
              <Money>{formatMoney(orders.total.value, menu.currency.value)}</Money>
            </span>
          )}
        </span>
        <span class="progress-link-more">{best && words.counts[best](counts[best])}</span>
      </span>
      <Icon name="chevron" />
    </a>
  );
}
