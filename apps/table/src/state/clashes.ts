import { allergenNamesInAllLanguages } from '@comanda/ui/allergens.ts';
import type { Allergen } from '@comanda/ui/allergens.ts';
import { plain } from './plain.ts';

/** What guests write for an allergen besides its name. */
const otherNames: Partial<Record<Allergen, string>> = {
  gluten: 'wheat trigo',
  crustaceans: 'shellfish shrimp prawn camarao camaroes',
  peanuts: 'amendoins',
  molluscs: 'shellfish',
  soybeans: 'soy',
  milk: 'lactose dairy',
};

/** Without the plural: "Eggs" and "egg", "nozes" and "noz" are the same. */
const stem = (word: string): string => word.replace(/(e?s|e)$/, '');
/** Shorter ones are no names of food: the "e" of "nozes e castanhas". */
const minStemLength = 3;
const stemsOf = (text: string): Set<string> =>
  new Set(
    plain(text)
      .split(/[^a-z]+/)
      .map(stem)
      .filter(({ length }) => length >= minStemLength),
  );

const stemsByAllergen = (Object.keys(allergenNamesInAllLanguages[0] ?? {}) as Allergen[]).map((allergen) => {
  const names = allergenNamesInAllLanguages.map((each) => each[allergen]);
  return { allergen, stems: stemsOf([...names, otherNames[allergen] ?? ''].join(' ')) };
});

/** The allergens that a text names, in English or Portuguese. It finds words, and understands no sentence. */
export function allergensNamedIn(text: string): Allergen[] {
  const written = [...stemsOf(text)];
  return stemsByAllergen.filter(({ stems }) => written.some((word) => stems.has(word))).map(({ allergen }) => allergen);
}
