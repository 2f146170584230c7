import type { Allergen } from './allergens.ts';
import { plain } from './plain-text.ts';

/** The beginnings of English and Portuguese words that name an allergen, without accents. */
const beginnings: Record<Allergen, RegExp> = {
  gluten: /\b(gluten|trigo|wheat|celiac|coeliac)/,
  crustaceans: /\b(crustac|camar(ao|oes)|shrimp|prawn|crab|caranguej|lagost|lobster|shellfish|marisco)/,
  eggs: /\b(eggs?\b|ovos?\b)/,
  fish: /\b(fish|peixe)/,
  peanuts: /\b(peanut|amendoi)/,
  soybeans: /\b(soy|soja)/,
  milk: /\b(milk|leite|lact|latici|dairy|cheese|queijo)/,
  nuts: /\b(nuts?\b|noz|castanh|almond|amendoa|cashew|caju|hazelnut|avela|walnut|pistach)/,
  celery: /\b(celery|aipo|salsao)/,
  mustard: /\b(mustard|mostarda)/,
  sesame: /\b(sesam|gergelim)/,
  sulphites: /\b(sulphit|sulfit)/,
  lupin: /\b(lupin|tremoco)/,
  molluscs: /\b(mollus|molus|mussel|mexilh|oyster|ostra|squid|lula|octopus|polvo|shellfish|marisco)/,
};

/** Returns the allergens that an English or Portuguese text mentions. Only words are matched, so "no nuts" counts as nuts. */
export function allergensNamedIn(text: string): Allergen[] {
  const written = plain(text);
  return (Object.keys(beginnings) as Allergen[]).filter((each) => beginnings[each].test(written));
}
