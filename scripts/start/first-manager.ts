import { runServiceCommand } from './services.ts';

/**
 * Whether the restaurant has its first manager. `instruction`: where to enter the setup code, with the code. `needed`: no code was
 * created, because the output is not a terminal and may be stored, or because something failed. The operator creates one by hand.
 */
export type FirstManager = 'exists' | 'needed' | { instruction: string };

type Options = {
  gatewayUrl: string;
  /** The settings of auth-stepup. */
  env: NodeJS.ProcessEnv;
  isTerminal: boolean;
  log: (line: string) => void;
};

/**
 * Returns whether the restaurant has its first manager. If not, creates a setup code to print in the terminal. A failure doesn't end
 * the start: the command that it points to says why.
 */
export async function findFirstManager({ gatewayUrl, env, isTerminal, log }: Options): Promise<FirstManager> {
  try {
    const response = await fetch(`${gatewayUrl}/setup`);
    if (!response.ok) throw new Error(`GET /setup returned ${response.status}`);
    const { needs_first_manager: isNeeded } = (await response.json()) as { needs_first_manager: boolean };
    if (!isNeeded) return 'exists';
    if (!isTerminal) return 'needed';
    const command = { service: 'auth-stepup', script: 'src/create-setup-code.ts', args: [], env };
    return { instruction: (await runServiceCommand(command)).trim() };
  } catch (error) {
    log(`no setup code was created: ${(error as Error).message}`);
    return 'needed';
  }
}
