import type { MenuItem } from '@comanda/contracts/menu';
import { messagesOf } from './language.ts';
import { en } from './messages/allergens.en.ts';
import { ptBr } from './messages/allergens.pt-br.ts';

export type Allergen = MenuItem['allergens'][number];

/** The names of the 14 allergens in Regulation (EU) 1169/2011, for guests and managers. */
export const allergenNames = messagesOf({ en, 'pt-BR': ptBr });
