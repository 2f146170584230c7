import { plural } from '@comanda/ui/format.ts';
import type { en } from './seating.en.ts';

export const ptBr: typeof en = {
  filters: { label: 'Quais mesas', wants: 'Chamando', paid: 'Ocupada, paga', toClean: 'Limpar' },
  noneFits: 'Nenhuma mesa.',
  byNeed: 'Por urgência',
  covers: (count) => plural(count, { one: '1 pessoa', other: `${count} pessoas` }),
  guests: (count) => plural(count, { one: '1 cliente pediu', other: `${count} clientes pediram` }),
  seatedFor: (minutes) => `Ocupada há\u00a0${minutes}\u00a0min`,
  paidFor: (minutes) => (minutes === null ? 'Paga' : `Paga há\u00a0${minutes}\u00a0min`),
  toClean: 'Para limpar',
  clean: 'Limpa',
  isClean: (table) => `A mesa ${table} está limpa`,
  move: 'Mudar para',
  moveAsk: (table) => `Mudar os clientes da mesa ${table} para qual mesa?`,
  moveFollows: 'A conta, os celulares e os pedidos abertos vão junto.',
  join: 'Juntar com',
  joinAsk: (table) => `Juntar a mesa ${table} com qual mesa?`,
  joinFollows: 'As duas mesas passam a ter uma só conta.',
  joinSure: (one, other) => `Juntar as mesas ${one} e ${other}?`,
  oneBill: (one, other) =>
    `As mesas ${one} e ${other} passam a ter uma só conta. Nada é enviado de novo à cozinha. Não dá para desfazer.`,
  joinYes: 'Sim, juntar',
  noTable: 'Todas as mesas estão ocupadas. Juntar com outra mesa?',
  nothingToJoin: 'Não há outra mesa.',
  cleaned: (table) => `A mesa ${table} está limpa.`,
  moved: (table, to) => `Os clientes da mesa ${table} agora estão na mesa ${to}.`,
  joined: (table, other) => `As mesas ${table} e ${other} estão juntas.`,
  billStayed: (table) => `A conta da mesa ${table} continua como está.`,
  closesToo: (tables) =>
    plural(tables.length, {
      one: `A mesa ${tables[0]} também fecha.`,
      other: `As mesas ${tables.join(', ')} também fecham.`,
    }),
  joinedWith: (tables) =>
    plural(tables.length, { one: `Junta com a mesa ${tables[0]}`, other: `Junta com as mesas ${tables.join(', ')}` }),
};
