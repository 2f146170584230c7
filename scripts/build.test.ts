import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { run, type Finished } from '@comanda/local-stack/servers/command';

describe("a service that imports another service's source", () => {
  const folder = mkdtempSync(join(tmpdir(), 'build-'));
  const orders = join(folder, 'services/orders');
  const tool = (name: string, args: readonly string[]): Promise<Finished> =>
    run({ command: join(root, 'node_modules/.bin', name), args: [...args], timeoutMs: 50_000 });
  beforeAll(() => {
    for (const name of ['tsconfig.base.json', 'tsconfig.build.json', '.oxlintrc.json'])
      cpSync(join(root, name), join(folder, name));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const name of ['orders', 'transfers']) {
      mkdirSync(join(folder, 'services', name, 'src'), { recursive: true });
      cpSync(
        join(root, 'services', name, 'tsconfig.build.json'),
        join(folder, 'services', name, 'tsconfig.build.json'),
      );
      writeFileSync(join(folder, 'services', name, 'package.json'), JSON.stringify({ name, type: 'module' }));
    }
    writeFileSync(join(folder, 'services/transfers/src/limit.ts'), 'export const limit: number = 1;\n');
    writeFileSync(
      join(orders, 'src/order.ts'),
      "import { limit } from '../../transfers/src/limit.ts';\nexport const twice = limit * 2;\n",
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('fails the build and leaves no file in a source folder', async () => {
    const { code } = await tool('tsc', ['-p', join(orders, 'tsconfig.build.json')]);

    expect(code).not.toBe(0);
    const sources = ['orders', 'transfers'].flatMap((name) => readdirSync(join(folder, 'services', name, 'src')));
    expect(sources).toEqual(['order.ts', 'limit.ts']);
  });

  test('fails the check with advice on what to do instead', async () => {
    const { code, output } = await tool('oxlint', ['-c', join(folder, '.oxlintrc.json'), join(orders, 'src')]);

    expect(code).not.toBe(0);
    expect(output).toMatch(/Call its API \(@comanda\/contracts.* or consume its events/);
  });
});
