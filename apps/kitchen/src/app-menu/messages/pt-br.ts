import { plural } from '@comanda/ui/format.ts';
import type { Messages } from './en.ts';

export const ptBr: Messages = {
  keptBumps: (count) =>
    plural(count, {
      one: '1 marcação está guardada neste aparelho e não foi enviada. Será enviada quando você entrar aqui de novo.',
      other: `${count} marcações estão guardadas neste aparelho e não foram enviadas. Serão enviadas quando você entrar aqui de novo.`,
    }),
  keptWork:
    'Um pedido ou um “Servido” está guardado neste aparelho e não foi enviado. Será enviado quando você entrar aqui de novo.',
  signOutAnyway: 'Sair mesmo assim',
  signOut: 'Sair',
  signedInAs: (name, role) => `${name}, ${role}`,
};
