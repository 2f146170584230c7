import { common } from '@comanda/ui/messages/common.pt-br.ts';
import type { en } from './lines.en.ts';

export const ptBr: typeof en = {
  change: 'Alterar:',
  acts: { label: 'O que fazer', off: 'Tirar', move: 'Passar', remake: 'Refazer' },
  about: (ticket, status) => `Pedido #${ticket} · ${status}`,
  howMany: 'Quantos',
  countOf: (count, all) => `${count} de ${all}`,
  all: (count) => `Todos os ${count}`,
  off: {
    notBegun: 'A cozinha ainda não começou. Sai da conta. Não dá para desfazer.',
    begun: 'A cozinha já começou e é avisada para parar. Sai da conta. Não dá para desfazer.',
    yes: (dishes) => `Tirar ${dishes}`,
    served: 'Já foi servido. Só um gerente pode tirar.',
  },
  move: {
    text: 'Para outra conta. Nada é enviado de novo à cozinha.',
    which: 'Quais pratos mudam',
    none: 'Escolha pelo menos um prato.',
  },
  remake: {
    text: 'A cozinha faz de novo, sem custo para o cliente.',
    yes: (dishes) => `Refazer ${dishes}`,
    mark: (reason) => `Refazer: ${reason}`,
  },
  paidBy: (who, time) => `Pago por ${who} às ${time}. Estorne isso antes.`,
  paidWith: (method, time) => `Pago (${method}) às ${time}. Estorne isso antes.`,
  beingPaid: 'Um cliente está pagando este prato agora. Espere terminar.',
  guests: 'Pessoas',
  retry: common.tryAgain,
  moved: (dishes, table) => `${dishes}: na mesa ${table}, com a conta.`,
  remade: (dishes, ticket) => `A cozinha refaz ${dishes}, pedido #${ticket}.`,
};
