import type { CallKind, CallMethod } from '@comanda/contracts/calls';
import { plural } from '@comanda/ui/format.ts';
import { messagesOf } from '@comanda/ui/language.ts';

const en = {
  title: 'Calls',
  label: (table: string | null, kind: CallKind) => `Call, ${table === null ? 'no table' : `table ${table}`}, ${kind}`,
  others: (count: number) => plural(count, { one: '1 more call', other: `${count} more calls` }),
  oldest: (age: string) => `, oldest ${age}`,
  noTable: 'Somebody',
  kinds: { waiter: 'calls a waiter', bill: 'wants to pay', other: 'asks for something' },
  methods: { cash: 'cash', card: 'card', account: 'on the phone' },
  go: 'I go',
  done: 'Done',
  giveBack: 'I cannot go',
  youGo: 'You go',
  colleagueGoes: 'A colleague goes',
  taken: 'A colleague was first.',
  failed: 'Not answered. Check the Wi-Fi, then try again.',
  notRead: 'The calls haven’t loaded: some may be missing. This phone keeps trying.',
};
const ptBr: typeof en = {
  title: 'Chamados',
  label: (table, kind) => {
    const kinds: Record<CallKind, string> = { waiter: 'garçom', bill: 'conta', other: 'outro' };
    return `Chamado, ${table === null ? 'sem mesa' : `mesa ${table}`}, ${kinds[kind]}`;
  },
  others: (count) => plural(count, { one: 'mais 1 chamado', other: `mais ${count} chamados` }),
  oldest: (age) => `, o mais antigo há ${age}`,
  noTable: 'Alguém',
  kinds: { waiter: 'chama um garçom', bill: 'quer pagar', other: 'pede algo' },
  methods: { cash: 'dinheiro', card: 'cartão', account: 'no celular' },
  go: 'Eu vou',
  done: 'Feito',
  giveBack: 'Não posso ir',
  youGo: 'Você vai',
  colleagueGoes: 'Um colega vai',
  taken: 'Um colega foi primeiro.',
  failed: 'Sem resposta. Veja o Wi-Fi e tente de novo.',
  notRead: 'Os chamados não carregaram: podem faltar alguns. Este celular continua tentando.',
};

export const callMessages = messagesOf({ en, 'pt-BR': ptBr });

/** `wants to pay, card`. */
export const wishOf = ({ kind, method }: { kind: CallKind; method: CallMethod | null }): string =>
  [callMessages().kinds[kind], method && callMessages().methods[method]].filter(Boolean).join(', ');
