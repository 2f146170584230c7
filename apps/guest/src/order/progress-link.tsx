import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { useGuest } from '../contexts.ts';
import { messages } from '../messages.ts';
import { hrefOf } from '../router.ts';
import './progress-link.css';

/** The menu page's link to the orders, with the best news. Beside the basket button, only one word fits. */
export function ProgressLink() {
  const words = messages();
  const { orders, menu, sending } = useGuest();
  const isLate = sending.outgoing.value?.state === 'late';
  const isWarning = isLate || sending.ended.value.length > 0;
  if (orders.all.value.length === 0 && !isWarning && !sending.outgoing.value) return null;
  const counts = orders.openCounts.value;
  const best = (['ready', 'preparing', 'received', 'delivered'] as const).find((status) => counts[status] > 0);
  return (
    <a
      class={classNames(
        'card row progress-link',
        isWarning ? 'progress-link-warning' : counts.ready > 0 && 'progress-link-ready',
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
              <span class="money" translate={false}>
                {formatMoney(orders.total.value, menu.currency.value)}
              </span>
            </span>
          )}
        </span>
        <span class="progress-link-more">{best && words.counts[best](counts[best])}</span>
      </span>
      <Icon name="chevron" />
    </a>
  );
}
