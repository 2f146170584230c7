import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsOfService } from '@comanda/local-stack/settings-of-service';
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { loadConfig } from '@comanda/shared/config/load-config';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createInstallation } from './installation.ts';
import { pageBlock } from './page-block.ts';

const folder = mkdtempSync(join(tmpdir(), 'installation-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the commands for secrets in docs/run/one-server.md', () => {
  const { secretFile } = createInstallation(folder);

  test.each(serviceNames)('write secrets that %s accepts once the URLs are added', async (service) => {
    const settings = await settingsOfService(service);
    const secrets = Object.values(settings).filter(({ secret, schema }) => secret && schema.validate(undefined).error);
    const files = secrets.map(({ env }) => [`${env}_FILE`, secretFile(service, env.toLowerCase())]);
    const urls = ['JWKS', 'ORDERS', 'AUTH_STEPUP', 'TRANSFERS', 'NOTIFIER', 'PUBLIC', 'NOTIFIER_PUBLIC'];
    const others = urls.map((name) => [`${name}_URL`, 'https://menu.example.com']);
    const env = { NODE_ENV: 'production', ...Object.fromEntries([...files, ...others]) };

    const config = loadConfig(settings, { ...env, ALLOWED_ORIGINS: 'https://menu.example.com' });

    expect(secrets.length).toBeGreaterThan(1);
    expect(config).toMatchObject({ serviceSecret: expect.anything() });
  });

  test('keep existing secrets when they run again', () => {
    const files = readdirSync(join(folder, 'secrets'), { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    const contents = (): string[] => files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
    const before = contents();

    execFileSync('sh', ['-ec', pageBlock('secrets')], { cwd: folder });

    expect(files.length).toBeGreaterThan(10);
    expect(contents()).toEqual(before);
  });

  test('keep other users of the machine out of the folder', () => {
    const modeOf = (path: string): string => (statSync(join(folder, path)).mode & 0o777).toString(8);

    expect([modeOf('secrets'), modeOf('secrets/orders/service_secret')]).toEqual(['700', '644']);
  });
});
