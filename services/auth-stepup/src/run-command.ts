import type { Settings } from '@comanda/shared/config/load-config';
import { runCommand as runCommandOf } from '@comanda/shared/mongo/run-command';

export { CommandError } from '@comanda/shared/mongo/run-command';

type Command<S extends Settings> = Omit<Parameters<typeof runCommandOf<S>>[0], 'of'>;

/** Runs an operator's command against this service's database: one line of outcome, exit code 0, 1 or 78 (EX_CONFIG). */
export const runCommand = <S extends Settings>(command: Command<S>): Promise<void> =>
  runCommandOf({ of: { service: 'auth-stepup', database: 'comanda_auth' }, ...command });
