import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns an environment in which a program in `root` prefers the libraries and programs there to the system's. */
export function privateEnvironment(root: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const libraries = ['usr/lib', 'lib'].map((path) => join(root, path)).flatMap(withMultiarch);
  return {
    ...env,
    PATH: [join(root, 'usr/lib/erlang/bin'), join(root, 'usr/bin'), env['PATH']].filter(Boolean).join(':'),
    LD_LIBRARY_PATH: [...libraries, env['LD_LIBRARY_PATH']].filter(Boolean).join(':'),
  };
}

/** Returns a library folder and its subfolders for architectures, such as x86_64-linux-gnu, which Debian uses. */
function withMultiarch(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const machine = readdirSync(folder).filter((name) => /-linux-gnu/.test(name));
  return [...machine.map((name) => join(folder, name)), folder];
}
