import { formatTime } from '@comanda/ui/format.ts';
import { messagesOf } from '@comanda/ui/language.ts';
import { useGuest } from './contexts.ts';
import './not-live-notice.css';

const en = {
  notLive: (time: string) => `Not live since ${time}. What you see may be old. We keep trying.`,
};
const ptBr: typeof en = {
  notLive: (time) => `Sem atualização desde ${time}. O que você vê pode ser antigo. Continuamos tentando.`,
};
const messages = messagesOf({ en, 'pt-BR': ptBr });

/** Since when the page may show old orders. */
export function NotLiveNotice() {
  const since = useGuest().orders.notLiveSince.value;
  if (since === null) return null;
  return (
    <p class="not-live" role="status">
      {messages().notLive(formatTime(since))}
    </p>
  );
}
