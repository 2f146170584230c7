import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { run, type Finished } from '@comanda/local-stack/servers/command';
import { describeRelease } from './describe-release.ts';
import { services, type Release } from './release.ts';

describe('npm run compatible', () => {
  const folder = mkdtempSync(join(tmpdir(), 'releases-'));
  beforeAll(async () => {
    cpSync(join(root, 'releases'), folder, { recursive: true });
    mkdirSync(join(folder, 'orders'), { recursive: true });
    const earlier = await describeRelease('orders');
    const { schemas } = earlier;
    const members = { ...schemas['Order']?.properties, smoke: { type: 'string' } };
    const later: Release = { ...earlier, schemas: { ...schemas, Order: { ...schemas['Order'], properties: members } } };
    // The last release has the highest version, which is not the last name in alphabetical order.
    writeFileSync(join(folder, 'orders/9.0.0.json'), JSON.stringify(earlier));
    writeFileSync(join(folder, 'orders/10.0.0.json'), JSON.stringify({ ...later, version: '10.0.0' }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const compatible = (...args: string[]): Promise<Finished> =>
    run({
      command: process.execPath,
      args: ['--conditions=source', join(root, 'scripts/compatible.ts'), `--releases=${folder}`, ...args],
    });

  test('explains what breaks and exits with 1', async () => {
    const { code, output } = await compatible('orders');

    expect(code).toBe(1);
    expect(output).toMatch(/^orders: \d+ things break since 10\.0\.0\.$/m);
    expect(output).toContain('  smoke of the answer 200 of GET /orders/{id} is gone, and earlier readers rely on it.');
    expect(output).toContain('see docs/releases.md');
  });

  test('exits with 0 if nothing breaks', async () => {
    const others = services.filter((service) => service !== 'orders');

    const { code, output } = await compatible(...others);

    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/^gateway: nothing breaks since \d+\.\d+\.\d+\.$/m),
    });
  });

  test("lists the services if the given one doesn't exist", async () => {
    const { code, output } = await compatible('oders');

    expect({ code, output }).toEqual({
      code: 1,
      output: "There is no service 'oders'. There are: gateway, orders, auth-stepup, transfers, notifier.",
    });
  });
});

describe('npm run release', () => {
  test.each([
    [['orders'], 'Say which part of the version grows: npm run release -- orders major|minor|patch'],
    [['orders', 'huge'], 'Say which part of the version grows: npm run release -- orders major|minor|patch'],
    [['oders', 'minor'], "There is no service 'oders'. There are: gateway, orders, auth-stepup, transfers, notifier."],
  ])('explains what to write when called with %j', async (operands, message) => {
    const args = ['--conditions=source', join(root, 'scripts/release.ts'), ...operands];

    const { code, output } = await run({ command: process.execPath, args });

    expect({ code, output }).toEqual({ code: 1, output: message });
  });
});
