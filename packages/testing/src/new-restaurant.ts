import { stackSettings } from '@comanda/local-stack/stack-settings';
import { startAuthStepupHere, type TestingAuthStepup } from './auth-stepup-process.ts';
import { isolatedServers } from './isolated-servers.ts';
import { runCommand } from './run-command.ts';
import { testSecrets } from './test-secrets.ts';

/** A restaurant that has no users yet. Only its auth-stepup runs. */
export type NewRestaurant = Pick<TestingAuthStepup, 'call' | 'as' | 'customer' | 'close'> & {
  /** Runs the command create-setup-code, and returns the code. */
  createSetupCode: () => Promise<string>;
};

export async function startNewRestaurant(name: string): Promise<NewRestaurant> {
  const env = stackSettings({ servers: await isolatedServers(name), secrets: testSecrets() })['auth-stepup'];
  const auth = await startAuthStepupHere(env);
  await auth.ready();
  return {
    ...auth,
    createSetupCode: async () => {
      const printed = await runCommand('auth-stepup', 'create-setup-code', { env });
      const [, code] = /setup code (\S+)/.exec(printed) ?? [];
      if (code === undefined) throw new Error(`create-setup-code printed: ${printed}`);
      return code;
    },
  };
}
