import type { MenuItem } from '@comanda/contracts/menu';
import { messagesOf } from './language.ts';

export type Allergen = MenuItem['allergens'][number];

const en: Record<Allergen, string> = {
  gluten: 'gluten',
  crustaceans: 'crustaceans',
  eggs: 'eggs',
  fish: 'fish',
  peanuts: 'peanuts',
  soybeans: 'soybeans',
  milk: 'milk',
  nuts: 'nuts',
  celery: 'celery',
  mustard: 'mustard',
  sesame: 'sesame',
  sulphites: 'sulphites',
  lupin: 'lupin',
  molluscs: 'molluscs',
};
const ptBr: typeof en = {
  gluten: 'glúten',
  crustaceans: 'crustáceos',
  eggs: 'ovos',
  fish: 'peixe',
  peanuts: 'amendoim',
  soybeans: 'soja',
  milk: 'leite',
  nuts: 'nozes e castanhas',
  celery: 'aipo',
  mustard: 'mostarda',
  sesame: 'gergelim',
  sulphites: 'sulfitos',
  lupin: 'tremoço',
  molluscs: 'moluscos',
};

/** The names of the 14 allergens in Regulation (EU) 1169/2011, for guests and managers. */
export const allergenNames = messagesOf({ en, 'pt-BR': ptBr });
