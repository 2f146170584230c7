// Runs auth-stepup as a separate process for tests. Reads its settings from the environment, and receives the commands in
// packages/testing/src/auth-stepup-process.ts over IPC. Ends with its parent process.
import { runService } from '@comanda/shared/runtime/lifecycle';
import type { CommandMessage, CommandReply, RunCommand } from '@comanda/testing/auth-stepup-process';
import { authStepupSettings } from '../../src/config.ts';
import { startTestingService } from './testing-service.ts';

const { env } = process;
process.on('disconnect', () => process.exit());
await runService({
  name: 'auth-stepup',
  version: '0.0.0-test',
  env,
  settings: authStepupSettings,
  start: async (config, logger) => {
    const service = await startTestingService(config, logger, env);
    process.on('message', (message: CommandMessage) => {
      void reply(service.run, message).then((sent) => process.send?.(sent));
    });
    return service;
  },
});

async function reply(run: RunCommand, { id, name, input }: CommandMessage): Promise<CommandReply> {
  try {
    return { id, output: await run(name, input as never) };
  } catch (error) {
    return { id, error: (error as Error).stack ?? String(error) };
  }
}
