import { formatTime } from '@comanda/ui/format.ts';
import { messagesOf } from '@comanda/ui/language.ts';
import type { Bills } from './bill/bills.ts';
import { useGuest } from './contexts.ts';
import './not-live-notice.css';

const en = {
  notLive: (time: string) => `No updates since ${time}. What you see may be out of date. Reconnecting…`,
  unread: 'Some of your orders may be missing here. Still trying. The kitchen has what you sent.',
  unreadBill: 'The bill hasn’t loaded completely. Still trying. A waiter can show it to you too.',
};
const ptBr: typeof en = {
  notLive: (time) => `Sem atualização desde ${time}. Pode estar desatualizado. Reconectando…`,
  unread: 'Alguns dos seus pedidos podem não aparecer aqui. Continuamos tentando. A cozinha tem o que você enviou.',
  unreadBill: 'A conta não carregou por completo. Continuamos tentando. Um garçom também pode mostrá-la.',
};
const messages = messagesOf({ en, 'pt-BR': ptBr });

/** Says that the page may show outdated orders, or not all orders. */
export const NotLiveNotice = () => <Line state={useGuest().orders.notLive.value} unread={messages().unread} />;

/** Says that the page may show an outdated or incomplete bill. */
export const BillNotLiveNotice = ({ bills }: { bills: Bills }) => (
  <Line state={bills.notLive.value} unread={messages().unreadBill} />
);

const Line = ({ state, unread }: { state: Bills['notLive']['value']; unread: string }) =>
  state !== null && (
    <p class="not-live" role="status">
      {state.why === 'unread' ? unread : messages().notLive(formatTime(state.sinceMs))}
    </p>
  );
