import { formatTime } from '@comanda/ui/format.ts';
import { messagesOf } from '@comanda/ui/language.ts';
import { useGuest } from './contexts.ts';
import './not-live-notice.css';

const en = {
  notLive: (time: string) => `Not live since ${time}. What you see may be old. We keep trying.`,
  unread: 'Some of your orders may be missing here. We keep trying. The kitchen has what you sent.',
};
const ptBr: typeof en = {
  notLive: (time) => `Sem atualização desde ${time}. O que você vê pode ser antigo. Continuamos tentando.`,
  unread: 'Alguns dos seus pedidos podem não aparecer aqui. Continuamos tentando. A cozinha tem o que você enviou.',
};
const messages = messagesOf({ en, 'pt-BR': ptBr });

/** Says that the page may show old orders, or not all. */
export function NotLiveNotice() {
  const state = useGuest().orders.notLive.value;
  if (state === null) return null;
  return (
    <p class="not-live" role="status">
      {state.why === 'unread' ? messages().unread : messages().notLive(formatTime(state.sinceMs))}
    </p>
  );
}
