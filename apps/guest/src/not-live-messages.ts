import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/not-live.en.ts';
import { ptBr } from './messages/not-live.pt-br.ts';

/** The messages about pages without updates. The menu, which is loaded first, doesn't need them. */
export const notLiveMessages = messagesOf({ en, 'pt-BR': ptBr });
