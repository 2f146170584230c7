import { plural } from '../format.ts';
import type { en } from './pin-pad.en.ts';

export const ptBr: typeof en = {
  label: 'PIN',
  digits: (count: number, length: number) => `${count} de ${length} dígitos`,
  remove: 'Apagar o último dígito',
  paste: 'Colar',
  wrong: (left: number) =>
    plural(left, { one: 'PIN incorreto, resta 1 tentativa.', other: `PIN incorreto, restam ${left} tentativas.` }),
};
