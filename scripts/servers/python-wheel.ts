import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines, run } from './command.ts';
import { refusal } from './refusal.ts';

/** One exact file of the Python package index: a requirement such as `name==1.0`, and the file's hash. */
type Wheel = { requirement: string; sha256: string };

/** Unpacks a wheel into a folder with pip, which refuses a file with another hash. */
export type UnpackPythonWheel = (wheel: Wheel, folder: string) => Promise<void>;

export function pythonWheel(scratch: string): UnpackPythonWheel {
  return async ({ requirement, sha256 }, folder) => {
    const pip = await findPip();
    mkdirSync(scratch, { recursive: true });
    const list = join(scratch, 'requirements.txt');
    writeFileSync(list, `${requirement} --hash=sha256:${sha256}\n`);
    const flags = ['--no-deps', '--only-binary=:all:', '--no-compile', '--no-cache-dir', '--retries=1'];
    const { code, output } = await run({
      command: pip[0] ?? '',
      args: [...pip.slice(1), 'install', ...flags, '--require-hashes', '--target', folder, '-r', list],
      env: { ...process.env, TMPDIR: scratch },
    });
    if (code !== 0) throw refusal(`pip can't download ${requirement}:\n${lastLines(output, 3)}`);
  };
}

async function findPip(): Promise<string[]> {
  for (const words of [['pip3'], ['pip'], ['python3', '-m', 'pip'], ['python', '-m', 'pip']]) {
    const [command = '', ...args] = words;
    if ((await run({ command, args: [...args, '--version'] })).code === 0) return words;
  }
  throw refusal("pip is missing (none of pip3, pip, 'python3 -m pip' works)");
}
