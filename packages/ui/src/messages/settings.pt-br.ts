import type { en } from './settings.en.ts';

export const ptBr: typeof en = {
  toDark: 'Escuro',
  toLight: 'Claro',
};
