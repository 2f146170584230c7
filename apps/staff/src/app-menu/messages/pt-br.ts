import { plural } from '@comanda/ui/format.ts';
import type { Messages } from './en.ts';

export const ptBr: Messages = {
  keptBumps: (count) =>
    plural(count, {
      one: '1 avanço ainda não foi enviado. Será enviado quando você entrar aqui de novo.',
      other: `${count} avanços ainda não foram enviados. Serão enviados quando você entrar aqui de novo.`,
    }),
  keptWork: 'Um pedido ou um “Servido” ainda não foi enviado. Será enviado quando você entrar aqui de novo.',
  signOutAsk: 'Sair com trabalho não enviado?',
  signOutAnyway: 'Sair mesmo assim',
  signOut: 'Sair',
  signedInAs: (name, role) => `${name}, ${role}`,
};
