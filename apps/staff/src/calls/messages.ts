import type { CallKind, CallMethod } from '@comanda/contracts/calls';
import { formatMoney } from '@comanda/ui/format.ts';
import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

export const callMessages = messagesOf({ en, 'pt-BR': ptBr });

type Wish = { kind: CallKind; method: CallMethod | null };
/** Returns a text such as `wants to pay by card`. */
export const wishOf = ({ kind, method }: Wish): string =>
  [callMessages().kinds[kind], method && callMessages().methods[method]].filter(Boolean).join(' ');
/** Returns a text such as `wants to pay R$ 52.10 by card`. The currency is that of the bill; undefined if it isn't known. */
export const wishWithAmountOf = (call: Wish & { amount?: string | null }, currency: string | undefined): string =>
  call.amount == null || currency === undefined
    ? wishOf(call)
    : [
        callMessages().kinds[call.kind],
        formatMoney(call.amount, currency),
        call.method && callMessages().methods[call.method],
      ]
        .filter(Boolean)
        .join(' ');
