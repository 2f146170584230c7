import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lastLines, type Finished } from '@comanda/local-stack/servers/command';
import { refusal } from '@comanda/local-stack/servers/refusal';

export type Docker = ReturnType<typeof createDocker>;
type Options = {
  /** The compose files. Relative paths in all of them are relative to the first file. */
  files: readonly string[];
  /** The environment for the compose files, including the project's name. */
  env: NodeJS.ProcessEnv;
  /** If this signal aborts, the running command is stopped. Cleanup commands get no signal. */
  signal?: AbortSignal;
};

/** Creates functions that run `docker`, and `docker compose` with the files of a project. */
export function createDocker({ files, env, signal }: Options) {
  const compose = ['compose', ...files.flatMap((file) => ['--file', file])];
  /** Runs docker and returns its exit code and output. Never throws. */
  async function run(args: readonly string[], stdio: 'kept' | 'shown' = 'kept'): Promise<Finished> {
    const shown = stdio === 'shown' ? 'inherit' : 'pipe';
    const child = spawn('docker', args, {
      env,
      stdio: ['ignore', shown, shown],
      ...(signal && { signal, killSignal: 'SIGINT' as const }),
    });
    let output = '';
    const keep = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', (error) => (output += error.message));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code: code ?? 130, output: output.trim() };
  }
  /**
   * Runs docker.
   * @throws Refusal with the last lines of its output if it fails
   */
  async function succeed(args: readonly string[], stdio: 'kept' | 'shown' = 'kept'): Promise<string> {
    const { code, output } = await run(args, stdio);
    if (code === 0) return output;
    throw refusal([`docker ${args.join(' ')} ended with ${code}.`, lastLines(output, 20)].filter(Boolean).join('\n'));
  }
  return {
    env,
    run,
    succeed,
    compose: (...args: readonly string[]): Promise<string> => succeed([...compose, ...args]),
    tryCompose: (...args: readonly string[]): Promise<Finished> => run([...compose, ...args]),
    /** Runs `docker compose` and shows its output immediately. */
    showCompose: (...args: readonly string[]): Promise<string> => succeed([...compose, ...args], 'shown'),
  };
}

type State = {
  Id: string;
  RestartCount: number;
  State: { ExitCode: number; Status: string; Health?: { Status: string } };
};
/** Returns a project's containers, even stopped ones. */
export async function containersOf(docker: Docker): Promise<(State & { service: string })[]> {
  const ids = (await docker.compose('ps', '--all', '--quiet')).split('\n').filter(Boolean);
  if (ids.length === 0) return [];
  const inspected = JSON.parse(await docker.succeed(['inspect', ...ids])) as (State & {
    Config: { Labels: Record<string, string> };
  })[];
  return inspected.map((each) => ({ ...each, service: each.Config.Labels['com.docker.compose.service'] ?? '' }));
}
