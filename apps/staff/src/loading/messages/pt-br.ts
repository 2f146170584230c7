import { forms } from '@comanda/ui/messages/forms.pt-br.ts';
import type { en } from './en.ts';

export const ptBr: typeof en = {
  reading: forms.loading,
  stillReading: 'Ainda carregando… Verifique o Wi-Fi.',
};
