import { plural } from '../../format.ts';
import type { en } from './en.ts';

export const ptBr: typeof en = {
  exactly: (count) => `escolha ${count}`,
  between: (min, max) => `escolha de ${min} a ${max}`,
  upTo: (max) => `até ${max}`,
  optional: 'opcional',
  included: (count) => plural(count, { one: '1 incluso', other: `${count} inclusos` }),
  includedOne: 'incluso',
  none: 'Nenhum',
  required: 'Obrigatório',
  counted: (count, max) => `${count} de ${max}`,
  soldOut: 'Esgotado',
  soldOutChosen: 'Esgotado. Escolha outra opção.',
  from: (price) => `a partir de ${price}`,
  average: (max) =>
    max === 2 ? 'Dois: meio a meio, pela média dos preços.' : `Até ${max} em partes iguais, pela média dos preços.`,
  averageNow: (count, price) => `Média dos ${count}: ${price}`,
  dearest: (max) =>
    max === 2 ? 'Dois: meio a meio, pelo preço do mais caro.' : `Até ${max} em partes iguais, pelo preço do mais caro.`,
  dearestNow: (count, price) => `O mais caro dos ${count}: ${price}`,
  contains: (allergens) => `Contém ${allergens}`,
  unstated: 'Alergênicos não informados. Pergunte ao garçom.',
  full: (max) => `Você já escolheu ${max}. Para trocar, desmarque uma opção.`,
  keepOne: 'Escolha outra opção antes de desmarcar esta.',
  tooFew: (left) => plural(left, { one: 'Escolha mais 1.', other: `Escolha mais ${left}.` }),
  chooseOne: 'Escolha uma opção.',
  tooMany: (over) => plural(over, { one: 'Tire 1.', other: `Tire ${over}.` }),
  atMost: (option, max) => `${option}: no máximo ${max}.`,
  gone: (options) => `Não tem mais: ${options}.`,
  anOption: 'Uma opção',
  lineGone: (option) => `Não tem mais: ${option}.`,
  lineSoldOut: (option) => `Esgotado: ${option}.`,
  lineTooFew: (group) => `Escolha: ${group}.`,
};
