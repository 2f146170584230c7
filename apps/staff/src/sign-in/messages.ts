import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

export const signInMessages = messagesOf({ en, 'pt-BR': ptBr });
