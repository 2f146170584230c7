import { runServiceCommand } from './services.ts';

/**
 * Whether the restaurant has its first manager. `instruction`: where to enter the setup code, with the code. `needed`: no code was
 * created, because the output is not a terminal and may be stored.
 */
export type FirstManager = 'exists' | 'needed' | { instruction: string };

type Options = {
  gatewayUrl: string;
  /** The settings of auth-stepup. */
  env: NodeJS.ProcessEnv;
  isTerminal: boolean;
};

/** Returns whether the first manager exists. If not, creates a setup code to print in the terminal. */
export async function findFirstManager({ gatewayUrl, env, isTerminal }: Options): Promise<FirstManager> {
  const response = await fetch(`${gatewayUrl}/setup`);
  const { needs_first_manager: isNeeded } = (await response.json()) as { needs_first_manager?: boolean };
  if (isNeeded !== true) return 'exists';
  if (!isTerminal) return 'needed';
  const command = { service: 'auth-stepup', script: 'src/create-setup-code.ts', args: [], env };
  return { instruction: (await runServiceCommand(command)).trim() };
}
