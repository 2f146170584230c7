/** What guests of the demo say about a dish, by a word of its name. A dish without a line is ordered as it is. */
const remarksByWord: Readonly<Record<string, readonly string[]>> = {
  Bolinho: ['limão à parte', 'para dividir'],
  Caipirinha: ['pouco gelo', 'pouco açúcar'],
  Caldinho: ['sem torresmo', 'sem pimenta'],
  Chope: ['sem colarinho', 'bem gelado'],
  Feijoada: ['sem pimenta', 'sem couve', 'para dividir', 'farofa à parte'],
  Moqueca: ['sem coentro', 'sem pimentão', 'pouco dendê'],
  Picanha: ['mal passada', 'ao ponto', 'bem passada', 'pouco sal'],
  Pudim: ['com duas colheres', 'pouca calda'],
  Risoto: ['sem parmesão', 'pouco sal'],
  Água: ['sem gelo', 'com limão'],
};

/** The remarks that fit the dish; none if no guest says anything about it. */
export const remarksOf = (dish: string): readonly string[] =>
  Object.entries(remarksByWord).find(([word]) => dish.startsWith(word))?.[1] ?? [];
