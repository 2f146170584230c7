import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { comandaDir } from '@comanda/local-stack/root';
import { lastLines, run } from '@comanda/local-stack/servers/command';
import { refusal } from '@comanda/local-stack/servers/refusal';

/** Third-party tools. They aren't dependencies of the repository, because they are large and only this command needs them. */
const fromNpm = {
  '@asyncapi/parser': '3.6.3',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  typescript: '5.9.3',
};
const fromPython = ['schemathesis==4.32.5'];

export type Tools = {
  /** The folder with the npm packages. */
  nodeDir: string;
  /** Returns the path of a program that the Python packages have installed. */
  python: (name: string) => string;
};

const venv = join(comandaDir, 'conformance', 'python');
const nodeDir = join(comandaDir, 'conformance', 'node');
const stamp = join(comandaDir, 'conformance', 'versions.json');

/** Installs the tools into `.comanda/conformance` if they are missing. */
export async function installTools(log: (line: string) => void): Promise<Tools> {
  const wanted = JSON.stringify({ fromNpm, fromPython });
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    log('installing the tools');
    rmSync(join(comandaDir, 'conformance'), { recursive: true, force: true });
    mkdirSync(nodeDir, { recursive: true });
    writeFileSync(
      join(nodeDir, 'package.json'),
      JSON.stringify({ private: true, type: 'module', dependencies: fromNpm }),
    );
    await runOrRefuse('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', nodeDir]);
    await runOrRefuse('python3', ['-m', 'venv', venv]);
    await runOrRefuse(join(venv, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...fromPython]);
    writeFileSync(stamp, wanted);
  }
  return { nodeDir, python: (name) => join(venv, 'bin', name) };
}

async function runOrRefuse(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await run({ command, args });
  if (code !== 0) throw refusal(`${command} ${args.join(' ')} failed:\n${lastLines(output)}`);
}
