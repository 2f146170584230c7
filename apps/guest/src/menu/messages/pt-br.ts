import type { en } from './en.ts';

export const ptBr: typeof en = {
  filterText: 'Escondemos os pratos que contêm o que você marcar, segundo a cozinha. Sobre traços, pergunte ao garçom.',
  filterDone: 'Mostrar pratos',
  filterClear: 'Limpar tudo',
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
};
