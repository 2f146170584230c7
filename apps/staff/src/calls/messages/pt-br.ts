import type { CallKind } from '@comanda/contracts/calls';
import { plural } from '@comanda/ui/format.ts';
import type { en } from './en.ts';

export const ptBr: typeof en = {
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
