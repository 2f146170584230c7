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
  change: 'Alterar',
  hidden: (count, allergens) =>
    `${count} ${plural(count, { one: 'prato', other: 'pratos' })} com ${allergens} ${plural(count, { one: 'escondido', other: 'escondidos' })}`,
  filterOn: (allergens) => `Sem pratos com ${allergens}`,
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

  orders: 'Pedidos',
  ways: 'Pedido atual e pedidos enviados',
};
