import { common } from '@comanda/ui/messages/common.pt-br.ts';
import { plural } from '@comanda/ui/format.ts';
import type { en } from './en.ts';

const items = (count: number): string => `${count} ${plural(count, { one: 'item', other: 'itens' })}`;

export const ptBr: typeof en = {
  table: (name) => `Mesa ${name}`,
  restaurant: 'Restaurante',
  menu: 'Cardápio',
  account: 'Carteira',
  call: 'Chamar',
  callTitle: 'Do que você precisa?',
  more: 'Idioma e carteira',
  loading: 'Carregando o cardápio…',

  scanTitle: 'Escaneie o código da sua mesa',
  scanText: 'Depois é só pedir por aqui. Enquanto isso, veja o cardápio.',
  scanAgain: {
    ended: {
      title: 'Você não está mais nesta mesa',
      text: 'A mesa foi fechada ou o código mudou. Para pedir de novo, escaneie o código da mesa. Seu pedido continua salvo neste celular.',
    },
    table_token_invalid: {
      title: 'Este código não vale mais',
      text: 'Nada foi pedido. Escaneie de novo o código da mesa ou fale com um garçom.',
    },
    seating_not_open: {
      title: 'Esta mesa ainda não foi aberta',
      text: 'Peça a um garçom que abra a mesa e escaneie o código de novo.',
    },
    failed: {
      title: 'Não foi possível entrar na mesa',
      text: 'Verifique o Wi-Fi e tente de novo.',
    },
  },
  goodbye: 'Tudo pago. Obrigado pela visita!',
  goodbyeText: 'Para pedir de novo, escaneie o código da mesa.',
  tryAgain: common.tryAgain,

  search: 'Buscar pratos',
  closeSearch: 'Fechar busca',
  categories: 'Seções do cardápio',
  otherCategory: 'Outros',
  filter: 'Alergias',
  filterTitle: 'O que você não pode comer?',
  filterText: 'Escondemos os pratos que contêm o que você marcar, segundo a cozinha. Sobre traços, pergunte ao garçom.',
  change: 'Alterar',
  filterDone: 'Mostrar pratos',
  filterClear: 'Limpar tudo',
  hidden: (count, allergens) =>
    `${count} ${plural(count, { one: 'prato', other: 'pratos' })} com ${allergens} ${plural(count, { one: 'escondido', other: 'escondidos' })}`,
  filterOn: (allergens) => `Sem pratos com ${allergens}`,
  nothingFound: (text) => `Nenhum prato com “${text}”`,
  nothingFoundHint: 'Tente uma palavra mais curta, ou olhe o cardápio.',
  nothingLeft: 'Nenhum prato para mostrar',
  nothingLeftHint:
    'Todos os pratos contêm algo que você não pode comer. Pergunte ao garçom o que a cozinha pode mudar.',
  clearSearch: 'Limpar busca',
  emptyMenu: 'O cardápio está vazio',
  emptyMenuHint: 'Pergunte ao garçom o que tem hoje.',
  menuOf: (time) => `Sem conexão. Este cardápio é das ${time}.`,
  menuOfHint: 'Preços e disponibilidade podem ter mudado.',
  menuFailed: 'Não foi possível carregar o cardápio.',
  contains: (allergens) => `Contém ${allergens}`,
  unstated: 'Alergênicos não informados. Pergunte ao garçom.',
  soldOut: 'Esgotado hoje',
  left: (count) => plural(count, { one: `Resta ${count}`, other: `Restam ${count}` }),
  from: (price) => `a partir de ${price}`,
  perKg: (price) => `${price}/kg`,
  askUs: ', peça ao garçom',
  askPrice: 'Preço: pergunte ao garçom',
  less: (dish) => `Tirar 1 ${dish}`,
  addDish: (dish) => `Adicionar ${dish}`,
  inBasket: (count) => `${count} no seu pedido`,
  added: (dish, count) => `${dish} no pedido. ${items(count)} ao todo.`,
  noMore: (dish) => `Acabou: ${dish}.`,

  basket: (count, sum) => `Pedido, ${items(count)}, ${sum}`,
  items,
  review: 'Revisar',
  yourOrder: 'Seu pedido',
  thisOrder: 'Este pedido',
  pausedUntil: (time) => `A cozinha volta a receber pedidos às ${time}`,
  pausedHint: 'Seu pedido está salvo. Envie quando a cozinha voltar.',

  understood: 'Entendi',

  orders: 'Pedidos',
  notSentShort: 'Ainda não enviado',
  lookAtOrder: 'Confira seu pedido',
  bill: (left) => `Conta · faltam ${left}`,
  ways: 'Pedido atual e pedidos enviados',
  billPaid: 'Conta · paga',
  statuses: common.statuses,
  counts: {
    ready: (count) => plural(count, { one: `${count} pronto`, other: `${count} prontos` }),
    preparing: (count) => `${count} em preparo`,
    received: (count) => `${count} na fila`,
    delivered: (count) => plural(count, { one: `${count} servido`, other: `${count} servidos` }),
  },
  orderSent: (ticket) => `Pedido ${ticket} enviado.`,
  orderCancelled: (ticket) => `Pedido ${ticket} cancelado.`,
  readyNow: (dishes) => `Pronto: ${dishes}`,
  statusNow: (dish, status) => `${dish}: ${status}`,
};
