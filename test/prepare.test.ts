import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { stackSettings, type StackSettings } from '@comanda/local-stack/stack-settings';
import { compileCacheDir } from '@comanda/testing/environment';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { startTestIssuer, type TestIssuer } from '@comanda/testing/test-issuer';
import { testSecrets } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';

let settings: StackSettings;
let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startTestIssuer();
  const servers = await isolatedServers('prepare-services');
  settings = stackSettings({ urls: { 'auth-stepup': issuer.url }, servers, secrets: testSecrets() });
});
afterAll(() => issuer.close());

/** Runs a service's command and returns its exit code and output. */
async function run(
  service: keyof StackSettings,
  script: string,
  given: { args?: readonly string[]; env?: object } = {},
) {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCacheDir(), ...settings[service], ...given.env };
  const file = `services/${service}/src/${script}.ts`;
  return promisify(execFile)(process.execPath, ['--conditions=source', file, ...(given.args ?? [])], {
    cwd: root,
    env,
  }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, output: stderr }),
  );
}
const message = (service: string): RegExp =>
  new RegExp(
    `The database \\S+ is not prepared for ${service} \\d+\\.\\d+\\.\\d+: it lacks the collection .*dist/prepare\\.js`,
  );

describe.each(['orders', 'auth-stepup', 'transfers'] as const)('%s', (name) => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startServiceProcess(
      name,
      { ...settings[name], PORT: '0', JWKS_URL: issuer.jwksUrl },
      { prepares: false },
    );
  });
  afterAll(() => service.end('SIGKILL'));

  test('starts after two simultaneous preparations of its database', async () => {
    await until(() => message(name).test(service.output()), { what: 'the service to say what it lacks' });
    const before = await fetch(`${service.url}/readyz`);

    const prepared = await Promise.all([run(name, 'prepare'), run(name, 'prepare')]);
    await service.ready();

    expect(before.status).toBe(503);
    expect(prepared.map(({ code }) => code)).toEqual([0, 0]);
    expect(prepared.map(({ output }) => output).join()).toContain('"msg":"the database is prepared"');
  });
});

test("an operator's command on a database that isn't prepared says which command to run first", async () => {
  const env = { MONGODB_DATABASE: `${settings['auth-stepup']['MONGODB_DATABASE']}_other` };
  const args = ['--email', 'marta@example.com', '--name', 'Marta'];

  const created = await run('auth-stepup', 'create-manager', { args, env });

  expect(created).toEqual({ code: 1, output: expect.stringMatching(message('auth-stepup')) });
});

test('preparing a database with a wrong setting exits with code 78', async () => {
  expect(await run('orders', 'prepare', { env: { MONGODB_URI: 'localhost' } })).toEqual({
    code: 78,
    output: expect.stringContaining('MONGODB_URI'),
  });
});
