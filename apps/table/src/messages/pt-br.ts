import { plural } from '@comanda/ui/format.ts';
import type { en } from './en.ts';

const items = (count: number): string => `${count} ${plural(count, { one: 'item', other: 'itens' })}`;

export const ptBr: typeof en = {
  table: (name) => `Mesa ${name}`,
  youAreAt: 'Você está na',
  menu: 'Cardápio',
  account: 'Carteira',
  loading: 'Carregando o cardápio…',

  scanTitle: 'Escaneie o código da sua mesa',
  scanText: 'Depois você pode pedir por aqui. Até lá, este é o cardápio para ler.',
  scanAgain: {
    ended: {
      title: 'Seu tempo nesta mesa terminou',
      text: 'A mesa foi fechada ou o código mudou. Para pedir de novo, escaneie o código da mesa. O que você escolheu continua neste celular.',
    },
    table_token_invalid: {
      title: 'Este código não vale mais',
      text: 'Você não está em nenhuma mesa, e nada foi pedido. Escaneie o código que está na mesa agora, ou chame um garçom.',
    },
    seating_not_open: {
      title: 'Esta mesa ainda não foi aberta',
      text: 'Você ainda não pode pedir. Peça a um garçom que abra a mesa e escaneie o código de novo.',
    },
    failed: {
      title: 'Não foi possível entrar na mesa',
      text: 'Você ainda não pode pedir. Verifique o Wi-Fi e tente de novo.',
    },
  },
  tryAgain: 'Tentar de novo',

  search: 'Buscar pratos',
  closeSearch: 'Fechar a busca',
  categories: 'Partes do cardápio',
  otherCategory: 'Mais',
  filter: 'Alergias',
  filterTitle: 'O que você não pode comer?',
  filterText: 'Pratos que o contêm ficam escondidos, como a cozinha declarou. Sobre traços, pergunte ao garçom.',
  filterDone: 'Mostrar os pratos',
  filterClear: 'Limpar minhas escolhas',
  hidden: (count, allergens) =>
    `${count} ${plural(count, { one: 'prato escondido', other: 'pratos escondidos' })}: com ${allergens}.`,
  filterOn: (allergens) => `Nada com ${allergens}.`,
  nothingFound: (text) => `Nenhum prato com “${text}”`,
  nothingFoundHint: 'Tente uma palavra mais curta, ou olhe o cardápio.',
  nothingLeft: 'Não sobrou nenhum prato',
  nothingLeftHint: 'Todos os pratos contêm algo que você não come. Pergunte ao garçom o que a cozinha pode mudar.',
  clearSearch: 'Limpar a busca',
  emptyMenu: 'O cardápio está vazio',
  emptyMenuHint: 'Pergunte ao garçom o que há hoje.',
  menuOf: (time) => `Sem conexão. Este é o cardápio das ${time}.`,
  menuOfHint: 'Os preços e o que está esgotado podem ter mudado.',
  menuFailed: 'O cardápio não carregou.',
  contains: (allergens) => `Contém ${allergens}`,
  unstated: 'Alergênicos não informados: pergunte',
  soldOut: 'Esgotado hoje',
  left: (count) => plural(count, { one: `Resta ${count}`, other: `Restam ${count}` }),
  addDish: (dish) => `Adicionar ${dish}`,
  inBasket: (count) => `${count} no seu pedido`,
  added: (dish, count) => `${dish} no pedido. ${items(count)} ao todo.`,
  noMore: (dish) => `Não há mais ${dish}.`,

  basket: (count, sum) => `Pedido, ${items(count)}, ${sum}`,
  items,
  review: 'Revisar',
  yourOrder: 'Seu pedido',
  thisOrder: 'Este pedido',
  pausedUntil: (time) => `A cozinha não recebe pedidos até ${time}`,
  pausedHint: 'O que você escolheu está guardado. Você pode enviar quando a cozinha voltar.',

  understood: 'Entendi',

  orders: 'Pedidos',
  bill: (left) => `Conta, ${left}`,
  ways: 'Seu pedido e seus pedidos',
  billPaid: 'Conta, tudo pago',
  statuses: {
    received: 'recebido',
    preparing: 'no fogo',
    ready: 'pronto',
    delivered: 'servido',
    cancelled: 'cancelado',
  },
  counts: {
    ready: (count) => plural(count, { one: `${count} pronto`, other: `${count} prontos` }),
    preparing: (count) => `${count} no fogo`,
    received: (count) => plural(count, { one: `${count} recebido`, other: `${count} recebidos` }),
    delivered: (count) => plural(count, { one: `${count} servido`, other: `${count} servidos` }),
  },
  orderSent: (ticket) => `O pedido ${ticket} foi enviado.`,
  orderCancelled: (ticket) => `O pedido ${ticket} foi cancelado.`,
  readyNow: (dishes) => `Pronto: ${dishes}`,
  statusNow: (dish, status) => `${dish}: ${status}`,
};
