import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { comandaDir } from '../root.ts';
import { lastLines, run } from '../servers/command.ts';
import { refusal } from '../servers/refusal.ts';

/** Other people's tools, too large to be fetched by everybody who only wants to run the house. */
const fromNpm = {
  '@asyncapi/parser': '3.6.3',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  typescript: '5.9.3',
};
const fromPython = ['schemathesis==4.32.5', 'openapi-python-client==0.29.1'];

export type Tools = {
  /** Where the packages from npm are. */
  nodeDir: string;
  /** A program of the Python packages. */
  python: (name: string) => string;
};

const venv = join(comandaDir, 'conformance', 'python');
const nodeDir = join(comandaDir, 'conformance', 'node');
const stamp = join(comandaDir, 'conformance', 'versions.json');

/** Fetches the tools once, into `.comanda/conformance`. */
export async function obtainTools(log: (line: string) => void): Promise<Tools> {
  const wanted = JSON.stringify({ fromNpm, fromPython });
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    log('fetching the tools');
    rmSync(join(comandaDir, 'conformance'), { recursive: true, force: true });
    mkdirSync(nodeDir, { recursive: true });
    writeFileSync(
      join(nodeDir, 'package.json'),
      JSON.stringify({ private: true, type: 'module', dependencies: fromNpm }),
    );
    await fetching('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', nodeDir]);
    await fetching('python3', ['-m', 'venv', venv]);
    await fetching(join(venv, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...fromPython]);
    writeFileSync(stamp, wanted);
  }
  return { nodeDir, python: (name) => join(venv, 'bin', name) };
}

async function fetching(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await run({ command, args });
  if (code !== 0) throw refusal(`${command} ${args.join(' ')} failed:\n${lastLines(output)}`);
}
