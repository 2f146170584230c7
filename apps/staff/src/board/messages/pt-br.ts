import { plural } from '@comanda/ui/format.ts';
import { common } from '@comanda/ui/messages/common.pt-br.ts';
import { forms } from '@comanda/ui/messages/forms.pt-br.ts';
import type { Messages } from './en.ts';

export const ptBr: Messages = {
  board: {
    empty: 'Nenhum pedido aberto.',
    emptySince: (time) => `Ao vivo desde ${time}.`,
    emptyHint: 'Um pedido novo aparece aqui sozinho, com um som.',
    notRead: 'Carregando pedidos…',
    notLoaded: 'Os pedidos não carregaram.',
    printTitle: (count) => plural(count, { one: '1 comanda aberta', other: `${count} comandas abertas` }),
    reprint: 'REIMPRESSÃO',
  },
  allDay: {
    subtitle: 'Tudo o que falta preparar.',
    dish: 'Prato',
    toCook: 'Na fila',
    cooking: 'Em preparo',
    empty: 'Nada para preparar.',
  },
  recallDrawer: {
    notLoaded: 'As comandas de outras telas não carregaram. Abra de novo para tentar.',
    empty: 'Nada para recuperar.',
    bringBack: 'Trazer de volta',
    takeBack: (ticket) => `Trazer de volta a comanda ${ticket}`,
  },
  soldOut: {
    search: 'Buscar prato',
    notRead: 'Carregando cardápio…',
    available: 'Disponível',
    isSoldOut: 'Esgotado',
    portions: 'Porções',
    onSale: 'Disponível',
    left: (count) => `restam ${count}`,
    confirm: (name) => `Marcar ${name} como esgotado?`,
    confirmYes: 'Sim, esgotado',
    cancel: forms.cancel,
  },
  ticketBack: {
    stepBack: (name) => `Voltar uma etapa: ${name}`,
    remove: 'Tirar',
    takeOff: (name) => `Tirar ${name}`,
    askOff: ({ quantity, name }) => `Tirar ${quantity}\u00A0${name}?`,
    yesOff: 'Sim, tirar',
    cancel: 'Cancelar pedido',
    cancelOne: (ticket) => `Cancelar pedido ${ticket}`,
    askCancel: 'Cancelar o pedido todo?',
    yesCancel: 'Sim, cancelar',
    no: 'Não',
    backToTicket: 'Fechar',
    print: 'Imprimir',
    printOne: (ticket) => `Imprimir comanda ${ticket}`,
  },
  busy: {
    pause: (minutes) => `Movimento alto: pausar pedidos dos clientes por ${minutes} min`,
    resume: 'Liberar pedidos dos clientes',
    notPaused: 'Não pausou: os clientes ainda podem pedir.',
    notResumed: 'Continua pausado: os clientes não podem pedir.',
    askManager: 'Um gerente pausou por mais tempo. Peça a um gerente para retomar.',
  },
  notice: {
    bumpedBy: (who, time) => `Avançada por ${who} às ${time}`,
    changedBy: (who, time) => `Alterada por ${who} às ${time}. Seu avanço não foi registrado.`,
    changed: 'Outra pessoa alterou esta comanda. Seu avanço não foi registrado.',
    notBumped: 'O avanço não foi registrado.',
    notCancelled: 'Nada foi cancelado.',
    lookAgain: 'Outra pessoa alterou esta comanda. Veja de novo.',
    close: common.close,
  },
};
