import type { CallKind, CallMethod } from '@comanda/contracts/calls';
import { plural } from '@comanda/ui/format.ts';
import { messagesOf } from '@comanda/ui/language.ts';

const en = {
  title: 'Calls',
  label: (table: string | null, kind: CallKind) => `Call, ${table === null ? 'no table' : `table ${table}`}, ${kind}`,
  colleagues: (count: number) => `Colleagues are on ${plural(count, { one: '1 call', other: `${count} calls` })}`,
  oldest: (age: string) => `, oldest ${age}`,
  noTable: 'A guest',
  kinds: { waiter: 'needs a waiter', bill: 'wants to pay', other: 'has a request' },
  methods: { cash: 'in cash', card: 'by card', account: 'on the phone' },
  go: 'I’ll go',
  done: 'Done',
  giveBack: 'I can’t go',
  youGo: 'You’re on it',
  colleagueGoes: 'A colleague is on it',
  taken: 'A colleague already took it.',
  failed: 'No response. Check the Wi-Fi and try again.',
  notRead: 'The calls haven’t loaded, so some may be missing. This phone keeps trying.',
};
const ptBr: typeof en = {
  title: 'Chamados',
  label: (table, kind) => {
    const kinds: Record<CallKind, string> = { waiter: 'garçom', bill: 'conta', other: 'outro' };
    return `Chamado, ${table === null ? 'sem mesa' : `mesa ${table}`}, ${kinds[kind]}`;
  },
  colleagues: (count) => `Colegas atendem ${plural(count, { one: '1 chamado', other: `${count} chamados` })}`,
  oldest: (age) => `, o mais antigo há ${age}`,
  noTable: 'Um cliente',
  kinds: { waiter: 'chama o garçom', bill: 'quer pagar', other: 'precisa de algo' },
  methods: { cash: 'em dinheiro', card: 'no cartão', account: 'pelo celular' },
  go: 'Eu vou',
  done: 'Feito',
  giveBack: 'Não posso ir',
  youGo: 'Você vai',
  colleagueGoes: 'Um colega já vai',
  taken: 'Um colega já atendeu.',
  failed: 'Sem resposta. Veja o Wi-Fi e tente de novo.',
  notRead: 'Os chamados não carregaram e podem faltar alguns. Este celular continua tentando.',
};

export const callMessages = messagesOf({ en, 'pt-BR': ptBr });

/** Returns a text such as `wants to pay by card`. */
export const wishOf = ({ kind, method }: { kind: CallKind; method: CallMethod | null }): string =>
  [callMessages().kinds[kind], method && callMessages().methods[method]].filter(Boolean).join(' ');
