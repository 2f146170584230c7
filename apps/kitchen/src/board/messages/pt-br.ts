import type { Messages } from './en.ts';

export const ptBr: Messages = {
  allDay: {
    subtitle: 'Tudo o que falta fazer.',
    dish: 'Prato',
    toCook: 'A fazer',
    cooking: 'No fogo',
    empty: 'Nada a fazer.',
  },
  recallDrawer: {
    empty: 'Nada foi marcado aqui nem entregue há pouco.',
    bringBack: 'Trazer de volta',
    takeBack: (ticket) => `Trazer de volta a comanda ${ticket}`,
  },
  soldOut: {
    search: 'Procurar um prato',
    available: 'Disponível',
    isSoldOut: 'Esgotado',
    portions: 'Porções',
    onSale: 'À venda',
    left: (count) => `restam ${count}`,
    confirm: (name) => `Tirar ${name} do cardápio?`,
    confirmYes: 'Sim, esgotado',
    cancel: 'Cancelar',
  },
  ticketBack: {
    stepBack: (name) => `Voltar ${name}`,
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
};
