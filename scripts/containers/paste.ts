import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, delimiter } from 'node:path';

/** Pastes texts into a shell, as the tour's readers do. Returns all output. */
export async function paste(
  texts: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const path = [dirname(process.execPath), env['PATH']].join(delimiter);
  const child = spawn('sh', ['-c', texts.join('\n')], {
    cwd,
    env: { ...env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  await once(child, 'close');
  return output;
}
