import { plural } from '@comanda/ui/format.ts';
import { messagesOf } from '@comanda/ui/language.ts';

const en = {
  filters: { label: 'Which tables', wants: 'Needs attention', paid: 'Seated, paid', toClean: 'To clean' },
  noneFits: 'No tables.',
  seatedFor: (minutes: number) => `Seated ${minutes}\u00a0min`,
  paidFor: (minutes: number) => `Paid ${minutes}\u00a0min ago`,
  toClean: 'To clean',
  clean: 'Clean',
  isClean: (table: string) => `Table ${table} is clean`,
  move: 'Move to',
  moveAsk: (table: string) => `Move the guests of table ${table} to which table?`,
  moveFollows: 'Their bill, phones and open orders move with them.',
  join: 'Join with',
  joinAsk: (table: string) => `Join table ${table} with which table?`,
  joinFollows: 'Both tables will share one bill.',
  joinSure: (one: string, other: string) => `Join tables ${one} and ${other}?`,
  oneBill: (one: string, other: string) =>
    `Tables ${one} and ${other} will share one bill. Nothing is sent to the kitchen again. You can’t undo this.`,
  joinYes: 'Yes, join them',
  noTable: 'No table available.',
  cancel: 'Cancel',
  cleaned: (table: string) => `Table ${table} is clean.`,
  moved: (table: string, to: string) => `The guests of table ${table} are now at table ${to}.`,
  joined: (table: string, other: string) => `Tables ${table} and ${other} are joined.`,
  billStayed: (table: string) => `The bill of table ${table} stays as it is.`,
  closesToo: (tables: readonly string[]) =>
    plural(tables.length, {
      one: `Table ${tables[0]} is closed too.`,
      other: `Tables ${tables.join(', ')} are closed too.`,
    }),
  joinedWith: (tables: readonly string[]) =>
    plural(tables.length, { one: `Joined with table ${tables[0]}`, other: `Joined with tables ${tables.join(', ')}` }),
};
const ptBr: typeof en = {
  filters: { label: 'Quais mesas', wants: 'Chamando', paid: 'Ocupada, paga', toClean: 'Limpar' },
  noneFits: 'Nenhuma mesa.',
  seatedFor: (minutes) => `Ocupada há\u00a0${minutes}\u00a0min`,
  paidFor: (minutes) => `Paga há\u00a0${minutes}\u00a0min`,
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
  noTable: 'Nenhuma mesa disponível.',
  cancel: 'Cancelar',
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

/** The messages for guests who move, tables that are joined, and tables that are cleaned. */
export const seatingMessages = messagesOf({ en, 'pt-BR': ptBr });
