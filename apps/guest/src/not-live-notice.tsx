import { formatTime } from '@comanda/ui/format.ts';
import type { Bills } from './bill/bills.ts';
import { useOrderSession } from './contexts.ts';
import { notLiveMessages } from './not-live-messages.ts';
import './not-live-notice.css';

/** Says that the page may show outdated orders, or not all orders. */
export const NotLiveNotice = () => (
  <Line state={useOrderSession().orders.notLive.value} unread={notLiveMessages().unread} />
);

/** Says that the page may show an outdated or incomplete bill. */
export const BillNotLiveNotice = ({ bills }: { bills: Bills }) => (
  <Line state={bills.notLive.value} unread={notLiveMessages().unreadBill} />
);

const Line = ({ state, unread }: { state: Bills['notLive']['value']; unread: string }) =>
  state !== null && (
    <p class="edge on-amber-soft not-live" role="status">
      {state.why === 'unread' ? unread : notLiveMessages().notLive(formatTime(state.sinceMs))}
    </p>
  );
