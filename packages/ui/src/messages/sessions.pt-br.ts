import { forms } from './forms.pt-br.ts';
import type { en } from './sessions.en.ts';

export const ptBr: typeof en = {
  title: 'Sessões',
  here: 'Este aparelho',
  signedIn: (when) => `Entrou em ${when}`,
  lastUse: (when) => `Último uso em ${when}`,
  ends: (when) => `Expira em ${when}`,
  end: 'Encerrar sessão',
  endOf: (device) => `Encerrar sessão: ${device}`,
  reading: forms.loading,
  readAgain: 'Recarregar',
  device: (browser, system) => `${browser} em ${system}`,
  unknownDevice: 'Aparelho desconhecido',
};
