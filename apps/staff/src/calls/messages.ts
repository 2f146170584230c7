import type { CallKind, CallMethod } from '@comanda/contracts/calls';
import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

export const callMessages = messagesOf({ en, 'pt-BR': ptBr });

/** Returns a text such as `wants to pay by card`. */
export const wishOf = ({ kind, method }: { kind: CallKind; method: CallMethod | null }): string =>
  [callMessages().kinds[kind], method && callMessages().methods[method]].filter(Boolean).join(' ');
