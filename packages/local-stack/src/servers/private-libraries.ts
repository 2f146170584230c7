import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns an environment for a program in the folder `root`. The program then prefers libraries and programs in that folder to
 * the system's own.
 */
export function privateEnvironment(root: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const libraries = ['usr/lib', 'lib'].map((path) => join(root, path)).flatMap(withMultiarch);
  return {
    ...env,
    PATH: [join(root, 'usr/lib/erlang/bin'), join(root, 'usr/bin'), env['PATH']].filter(Boolean).join(':'),
    LD_LIBRARY_PATH: [...libraries, env['LD_LIBRARY_PATH']].filter(Boolean).join(':'),
  };
}

/**
 * Returns a library folder and its subfolders for single architectures. Debian uses such subfolders, for example
 * x86_64-linux-gnu.
 */
function withMultiarch(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const machine = readdirSync(folder).filter((name) => /-linux-gnu/.test(name));
  return [...machine.map((name) => join(folder, name)), folder];
}
