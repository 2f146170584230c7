import type { Language } from '@comanda/contracts/rules';

type Remarks = Readonly<Record<Language, readonly string[]>>;

/** The guests' remarks about a dish, by a word in its name. A dish without an entry is ordered without remarks. */
const remarksByWord: Readonly<Record<string, Remarks>> = {
  Bolinho: { 'pt-BR': ['limão à parte', 'para dividir'], en: ['lime on the side', 'to share'] },
  Caipirinha: { 'pt-BR': ['pouco gelo', 'pouco açúcar'], en: ['little ice', 'little sugar'] },
  Caldinho: { 'pt-BR': ['sem torresmo', 'sem pimenta'], en: ['no crackling', 'no pepper'] },
  Chope: { 'pt-BR': ['sem colarinho', 'bem gelado'], en: ['no foam', 'ice cold'] },
  Feijoada: {
    'pt-BR': ['sem pimenta', 'sem couve', 'para dividir', 'farofa à parte'],
    en: ['no pepper', 'no greens', 'to share'],
  },
  Moqueca: { 'pt-BR': ['sem coentro', 'sem pimentão', 'pouco dendê'], en: ['no coriander', 'no peppers'] },
  Picanha: {
    'pt-BR': ['pouco sal', 'gordura à parte', 'para dividir'],
    en: ['little salt', 'no fat', 'to share'],
  },
  Pudim: { 'pt-BR': ['com duas colheres', 'pouca calda'], en: ['with two spoons', 'little sauce'] },
  Risoto: { 'pt-BR': ['sem parmesão', 'pouco sal'], en: ['no parmesan', 'little salt'] },
  Pizza: { 'pt-BR': ['bem assada', 'sem azeitona'], en: ['well baked', 'no olives'] },
  Combo: { 'pt-BR': ['molho à parte', 'pão tostado'], en: ['sauce on the side', 'toasted bun'] },
  Guaraná: { 'pt-BR': ['sem gelo', 'com laranja'], en: ['no ice', 'with orange'] },
  Água: { 'pt-BR': ['sem gelo', 'com limão'], en: ['no ice', 'with lime'] },
};

/** Returns the remarks for a dish. Empty if there are none. `dish` is the name on the restaurant's menu. */
export const remarksOf = (dish: string, language: Language): readonly string[] =>
  Object.entries(remarksByWord).find(([word]) => dish.startsWith(word))?.[1][language] ?? [];
