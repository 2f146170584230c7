import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsOfService } from '@comanda/local-stack/settings-of-service';
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { loadConfig } from '@comanda/shared/config/load-config';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createInstallation } from './installation.ts';

const folder = mkdtempSync(join(tmpdir(), 'installation-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the commands of docs/deployment.md that write the secrets', () => {
  const { secretFile } = createInstallation(folder);

  test.each(serviceNames)(
    'when they have run and the URLs are written, then %s accepts all of them',
    async (service) => {
      const settings = await settingsOfService(service);
      const secrets = Object.values(settings).filter(
        ({ secret, schema }) => secret && schema.validate(undefined).error,
      );
      const files = secrets.map(({ env }) => [`${env}_FILE`, secretFile(service, env.toLowerCase())]);
      const urls = ['JWKS', 'ORDERS', 'AUTH_STEPUP', 'TRANSFERS', 'NOTIFIER', 'PUBLIC', 'NOTIFIER_PUBLIC'];
      const others = urls.map((name) => [`${name}_URL`, 'https://menu.example.com']);
      const env = { NODE_ENV: 'production', ...Object.fromEntries([...files, ...others]) };

      const config = loadConfig(settings, { ...env, ALLOWED_ORIGINS: 'https://menu.example.com' });

      expect(secrets.length).toBeGreaterThan(1);
      expect(config).toMatchObject({ serviceSecret: expect.anything() });
    },
  );
});
