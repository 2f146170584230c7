import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { run } from '@comanda/local-stack/servers/command';
import { tryJsonFiles, trySignatures, tryTexts, type Verdict } from '../../test/outsiders/cases.ts';
import { binOf, emptyFolder, here, runInSequence, type Check, type Result } from './run.ts';
import { newCustomerToken, pin, tokenOf, type Role } from './stack.ts';

/**
 * Runs every Schemathesis check on every call of the document as a user of this role. A second user, the neighbour, must
 * not see the first user's data. The other settings are in `schemathesis.toml`.
 */
export const schemathesis =
  (role: Role, examples: number): Check =>
  async (url, { python }) => {
    const folder = emptyFolder(`schemathesis-${role}`);
    const config = join(folder, 'schemathesis.toml');
    const users = join(folder, 'users.json');
    const tokens = { [role]: await tokenOf(url, role), neighbour: await newCustomerToken(url) };
    const auth = Object.entries(tokens).map(([name, token]) => ({
      name,
      fixedHeaders: [{ name: 'Authorization', value: `Bearer ${token}` }],
    }));
    writeFileSync(users, JSON.stringify({ auth }));
    const peers = JSON.stringify(Object.keys(tokens));
    const userSettings = `[auth.wfc]\npath = ${JSON.stringify(users)}\nuser = "${role}"\npeers = ${peers}\n`;
    writeFileSync(config, `${readFileSync(join(here, 'schemathesis.toml'), 'utf8')}\n${userSettings}`);
    const { code, output } = await run({
      command: python('schemathesis'),
      args: [
        '--config-file',
        config,
        '--no-color',
        'run',
        `${url}/openapi.json`,
        '--max-examples',
        String(examples),
        '--continue-on-failure',
      ],
      env: {
        ...process.env,
        PYTHONPATH: here,
        SCHEMATHESIS_HOOKS: 'step_up',
        HYPOTHESIS_STORAGE_DIRECTORY: join(folder, 'hypothesis'),
        COMANDA_URL: url,
        COMANDA_PIN: pin,
      },
      timeoutMs: 1_800_000,
    });
    const reportFile = join(folder, 'report.txt');
    writeFileSync(reportFile, output);
    const summary = /^Test cases:\n(.*)$/m.exec(output)?.[1]?.trim() ?? output.slice(-2000);
    const [tried] = /[\d,]+/.exec(summary) ?? [];
    const [, other = '0'] = /(\d+) unique failures?/.exec(summary) ?? [];
    return {
      other: Number(other),
      passed: code === 0,
      report: `${summary}\n${reportFile}`,
      ...(tried !== undefined && { tried: Number(tried.replaceAll(',', '')) }),
    };
  };

/** What a run over cases found. */
export const judged = ({ cases, failures }: Verdict): Result => ({
  passed: failures.length === 0,
  report: failures.join('\n'),
  tried: cases,
  other: failures.length,
});
export const jsonFiles: Check = async (gatewayUrl) =>
  judged(await tryJsonFiles({ gatewayUrl, token: await tokenOf(gatewayUrl, 'customer') }));

export const texts: Check = async (gatewayUrl) => {
  const [dish] = (await (await fetch(`${gatewayUrl}/menu`)).json()) as { id: number }[];
  return judged(await tryTexts({ gatewayUrl, token: await tokenOf(gatewayUrl, 'customer') }, dish?.id ?? 1));
};

export const signatures: Check = () => Promise.resolve(judged(trySignatures()));

/** Packs the client as it is published, and has both tools look at the package. */
export const packedClient: Check = async (_url, tools) => {
  const folder = emptyFolder('client');
  const built = join(folder, 'package');
  const packed = await runInSequence([
    [process.execPath, join(root, 'packages/client/build.mjs'), built],
    ['npm', 'pack', built, '--pack-destination', folder],
  ]);
  if (!packed.passed) return packed;
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'no tarball');
  return runInSequence([
    [binOf(tools, 'publint'), 'run', tarball, '--strict'],
    // It is for ECMAScript modules alone.
    [binOf(tools, 'attw'), tarball, '--profile', 'esm-only', '--no-emoji', '--no-color', '--format', 'ascii'],
  ]);
};
