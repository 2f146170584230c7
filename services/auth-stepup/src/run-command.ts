import type { Settings } from '@comanda/shared/config/load-config';
import { assertPrepared } from '@comanda/shared/mongo/prepare-database';
import { runCommand as runServiceCommand } from '@comanda/shared/mongo/run-command';
import { authStepupPreparation } from './preparation.ts';

export { CommandError } from '@comanda/shared/mongo/run-command';

type Command<S extends Settings> = Omit<Parameters<typeof runServiceCommand<S>>[0], 'of'>;
/** The arguments of a command: its settings, and this service's database. */
export type CommandContext<S extends Settings = Settings> = Parameters<Command<S>['run']>[0];

/**
 * Runs an operator's command once the database is prepared. The command prints one line and exits with 0, 1, or 78 (EX_CONFIG).
 */
export const runCommand = <S extends Settings>(command: Command<S>): Promise<void> =>
  runServiceCommand({
    of: {
      service: 'auth-stepup',
      database: 'comanda_auth',
      onConnect: (connection) => assertPrepared(connection, authStepupPreparation),
    },
    ...command,
  });
