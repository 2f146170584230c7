import type { BodyOf } from '@comanda/contracts/endpoint';
import type { createOptionGroup } from '@comanda/contracts/option-groups';

type NewOptionGroup = BodyOf<typeof createOptionGroup>;
type DemoOption = Omit<NewOptionGroup['options'][number], 'option_group_ids' | 'item_id'> & {
  /** The names of the groups that this option opens. */
  opens?: readonly string[];
  /** The name of the dish that this option adds to the order. */
  dish?: string;
};
/** A body for `POST /option-groups` with names in place of ids. */
export type DemoOptionGroup = Omit<NewOptionGroup, 'options'> & { options: readonly DemoOption[] };

const named = (name: string, en: string, kitchenName: string) => ({
  name,
  name_translations: { en },
  kitchen_name: kitchenName,
});

/** The pizza's flavours, with what one costs if the whole pizza has it. */
const flavours = [
  {
    ...named('Calabresa', 'Smoked sausage and onion', 'CALAB'),
    small: '38.00',
    large: '58.00',
    allergens: ['soybeans'],
  },
  { ...named('Marguerita', 'Margherita', 'MARG'), small: '37.00', large: '56.00', allergens: ['milk'] },
  { ...named('Portuguesa', 'Ham, egg and onion', 'PORT'), small: '42.00', large: '64.00', allergens: ['milk', 'eggs'] },
  { ...named('Quatro queijos', 'Four cheeses', '4 QUEIJ'), small: '44.00', large: '66.00', allergens: ['milk'] },
  {
    ...named('Frango com Catupiry', 'Chicken and Catupiry cheese', 'FRANGO'),
    small: '41.00',
    large: '62.00',
    allergens: ['milk'],
  },
  { ...named('Abobrinha', 'Courgette and garlic', 'ABOBR'), small: '36.00', large: '54.00', allergens: [] },
] as const;
const flavoursOf = (size: 'small' | 'large'): DemoOption[] =>
  flavours.map(({ small, large, allergens, ...names }) => ({
    ...names,
    price: { small, large }[size],
    allergens: [...allergens],
  }));

/** The demo's option groups. A group comes after those that its options open. */
export const demoOptionGroups: readonly DemoOptionGroup[] = [
  {
    name: 'Ponto da carne',
    name_translations: { en: 'Doneness' },
    min: 1,
    max: 1,
    options: [
      { ...named('Mal passada', 'Rare', 'MAL'), price: '0.00', allergens: [] },
      { ...named('Ao ponto para mal', 'Medium rare', 'PTO P/ MAL'), price: '0.00', allergens: [] },
      { ...named('Ao ponto', 'Medium', 'PONTO'), price: '0.00', allergens: [], default: true },
      { ...named('Ao ponto para bem', 'Medium well', 'PTO P/ BEM'), price: '0.00', allergens: [] },
      { ...named('Bem passada', 'Well done', 'BEM'), price: '0.00', allergens: [] },
    ],
  },
  {
    name: 'Acompanhamentos extras',
    name_translations: { en: 'Extra sides' },
    min: 0,
    max: 4,
    options: [
      { ...named('Arroz branco', 'White rice', '+ ARROZ'), price: '8.00', max_each: 2, allergens: [] },
      {
        ...named('Feijão-tropeiro', 'Beans with egg and bacon', '+ TROPEIRO'),
        price: '14.00',
        max_each: 2,
        allergens: ['eggs'],
      },
      { ...named('Batata frita', 'Chips', '+ FRITAS'), price: '18.00', max_each: 2, allergens: [] },
      { ...named('Salada verde', 'Green salad', '+ SALADA'), price: '12.00', max_each: 2, allergens: ['mustard'] },
    ],
  },
  {
    name: 'Sabor',
    name_translations: { en: 'Flavour' },
    min: 1,
    max: 1,
    options: flavoursOf('small'),
  },
  {
    name: 'Sabores',
    name_translations: { en: 'Flavours' },
    min: 1,
    max: 2,
    price_method: 'average',
    options: flavoursOf('large'),
  },
  {
    name: 'Borda recheada',
    name_translations: { en: 'Stuffed crust' },
    min: 0,
    max: 1,
    options: [
      { ...named('Catupiry', 'Catupiry cheese', 'BORDA CATUP'), price: '12.00', allergens: ['milk'] },
      { ...named('Cheddar', 'Cheddar', 'BORDA CHED'), price: '12.00', allergens: ['milk'] },
    ],
  },
  {
    name: 'Tamanho',
    name_translations: { en: 'Size' },
    min: 1,
    max: 1,
    options: [
      { ...named('Broto, 4 fatias', 'Small, 4 slices', 'BROTO'), price: '0.00', allergens: [], opens: ['Sabor'] },
      {
        ...named('Grande, 8 fatias', 'Large, 8 slices', 'GRANDE'),
        price: '0.00',
        allergens: [],
        opens: ['Sabores', 'Borda recheada'],
      },
    ],
  },
  {
    name: 'Complementos',
    name_translations: { en: 'Toppings' },
    min: 0,
    max: 6,
    free: 2,
    options: [
      { ...named('Banana', 'Banana', 'BANANA'), price: '3.00', max_each: 2, allergens: [] },
      { ...named('Morango', 'Strawberries', 'MORANGO'), price: '5.00', max_each: 2, allergens: [] },
      { ...named('Granola', 'Granola', 'GRANOLA'), price: '4.00', max_each: 2, allergens: ['gluten', 'nuts'] },
      { ...named('Paçoca', 'Ground peanut sweet', 'PAÇOCA'), price: '4.00', max_each: 2, allergens: ['peanuts'] },
      { ...named('Leite em pó', 'Milk powder', 'LEITE PÓ'), price: '3.00', max_each: 2, allergens: ['milk'] },
      { ...named('Leite condensado', 'Condensed milk', 'LEITE COND'), price: '3.00', max_each: 2, allergens: ['milk'] },
    ],
  },
  {
    name: 'Bebida do combo',
    name_translations: { en: 'Drink' },
    min: 1,
    max: 1,
    options: [
      { ...named('Guaraná', 'Guaraná', 'GUARANÁ'), price: '0.00', dish: 'Guaraná lata 350 ml' },
      { ...named('Água com gás', 'Sparkling water', 'ÁGUA GÁS'), price: '0.00', dish: 'Água com gás' },
      { ...named('Chope claro', 'Draught lager', 'CHOPE'), price: '6.00', dish: 'Chope claro 300 ml' },
    ],
  },
  {
    name: 'Adicionais',
    name_translations: { en: 'Extras' },
    min: 0,
    max: 4,
    options: [
      { ...named('Bacon', 'Bacon', '+ BACON'), price: '6.00', max_each: 2, allergens: [] },
      { ...named('Ovo frito', 'Fried egg', '+ OVO'), price: '4.00', max_each: 2, allergens: ['eggs'] },
      { ...named('Queijo', 'Cheese', '+ QUEIJO'), price: '5.00', max_each: 2, allergens: ['milk'] },
    ],
  },
  {
    name: 'Tirar',
    name_translations: { en: 'Leave out' },
    min: 0,
    max: 3,
    options: [
      { ...named('Sem cebola', 'No onion', 'SEM CEBOLA'), price: '0.00', allergens: [] },
      { ...named('Sem picles', 'No pickles', 'SEM PICLES'), price: '0.00', allergens: [] },
      { ...named('Sem maionese', 'No mayonnaise', 'SEM MAIO'), price: '0.00', allergens: [] },
    ],
  },
  {
    name: 'Guarnições',
    name_translations: { en: 'Sides' },
    min: 2,
    max: 2,
    options: [
      { ...named('Arroz com brócolis', 'Rice with broccoli', 'ARROZ BROC'), price: '0.00', allergens: [] },
      { ...named('Pirão', 'Fish and cassava purée', 'PIRÃO'), price: '0.00', allergens: ['fish', 'celery'] },
      { ...named('Legumes na brasa', 'Grilled vegetables', 'LEGUMES'), price: '0.00', allergens: [] },
      { ...named('Farofa de dendê', 'Cassava toasted in palm oil', 'FAROFA'), price: '0.00', allergens: [] },
    ],
  },
];
