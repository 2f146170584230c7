import type { en } from './allergens.en.ts';

export const ptBr: typeof en = {
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
