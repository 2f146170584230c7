import { describe, expect, test } from '@jest/globals';
import { run } from '@comanda/local-stack/servers/command';
import { root } from '@comanda/local-stack/root';
import { defineCommand, parseCommandLine, usage } from './command-line.ts';

const cook = defineCommand({
  name: 'npm run cook',
  script: 'cook',
  about: 'Cooks a dish.',
  options: {
    slowly: { help: 'takes its time' },
    pace: { value: 'N', defaultValue: '10', help: 'how fast' },
    'for-table': { value: 'TABLE', help: 'who ordered it' },
  },
  settings: { STOVE: 'the stove (1)' },
});
const eat = defineCommand({
  name: 'npm run eat',
  script: 'eat',
  about: 'Eats.',
  options: { tool: { short: 't', value: 'TOOL', help: 'with what' } },
  operands: { usage: '[DISH …]', help: 'what' },
});
const parse = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => parseCommandLine(cook, args, env);

describe('the command line of a script', () => {
  test("reads an option's value in every form", () => {
    expect(parse(['--slowly', '--pace', '--for-table', '7']).values).toEqual({
      slowly: true,
      pace: '10',
      'for-table': '7',
    });
    expect(parse(['--pace=2', '--for-table=a=b']).values).toEqual({ pace: '2', 'for-table': 'a=b' });
  });

  test.each([
    [['--fast'], 'Unknown option --fast. npm run cook accepts: --slowly, --pace[=N], --for-table=TABLE, --help'],
    [['-x'], 'Unknown option -x. '],
    [['--constructor'], 'Unknown option --constructor. '],
    [['rice'], 'Unknown argument rice. '],
    [['--slowly=no'], '--slowly takes no value, but it has "no".'],
    [['--for-table'], '--for-table needs a value: --for-table=TABLE'],
    [['--for-table', '--slowly'], '--for-table needs a value: --for-table=TABLE'],
  ])('rejects %j with a single line', (args, message) => {
    expect(() => parse(args)).toThrow(message);
    expect(() => parse(args)).toThrow(/^.*$/);
  });

  test('reads operands among options', () => {
    expect(parseCommandLine(eat, ['rice', '-t', 'fork', 'beans'], {})).toEqual({
      values: { tool: 'fork' },
      operands: ['rice', 'beans'],
    });
    expect(() => parseCommandLine(eat, ['rice', '--spoon'], {})).toThrow('Unknown option --spoon. ');
  });

  test.each([
    [{ npm_config_slowly: 'true' }, [], 'npm took --slowly for itself. Put -- before it:   npm run cook -- --slowly'],
    [
      { npm_config_pace: '3', npm_config_for_table: '7' },
      ['--slowly'],
      'npm run cook -- --pace=3 --for-table=7 --slowly',
    ],
  ])('suggests the right command line if npm took options (%j)', (env, args, message) => {
    expect(() => parse(args, { ...env, npm_lifecycle_event: 'cook' })).toThrow(message);
    expect(() => parse(args, { ...env, npm_lifecycle_event: 'another' })).not.toThrow();
  });

  test('prints help for everything that the parser accepts', () => {
    expect(usage(cook)).toBe(
      [
        'Usage: npm run cook -- [options]',
        'Cooks a dish.',
        '',
        '  --slowly            takes its time',
        '  --pace[=N]          how fast',
        '  --for-table=TABLE   who ordered it',
        '  --help              print this',
        '',
        'Settings in the environment:',
        '  STOVE               the stove (1)',
      ].join('\n'),
    );
    expect(usage(eat).split('\n')).toEqual([
      'Usage: npm run eat -- [options] [DISH …]',
      'Eats.',
      '',
      '  [DISH …]          what',
      '  -t, --tool=TOOL   with what',
      '  --help            print this',
    ]);
  });
});

describe('in the scripts with options', () => {
  const scripts: [name: string, words: string[], line: string][] = [
    ['npm start', ['start.ts'], 'COMANDA_DIR'],
    ['npm test', ['test.ts'], '--watch'],
    ['npm run test:full', ['test-full.ts'], 'summary'],
    ['npm run torture', ['torture.ts'], '--seconds=N'],
    ['npm run mutants', ['mutants.ts'], '[NAME …]'],
    ['npm run servers', ['dev-servers.ts'], '--cluster'],
    ['npm run chart', ['chart.ts'], '--environment=FILE'],
    ['npm run conformance', ['conformance.ts'], '--examples=N'],
    ['npm run create-manager', ['operate.ts', 'create-manager'], 'MANAGER_PASSWORD'],
    ['npm run create-setup-code', ['operate.ts', 'create-setup-code'], 'PUBLIC_URL'],
    ['npm run rotate-keys', ['operate.ts', 'rotate-keys'], '--revoke=KID'],
    ['npm run approve-pin-reset', ['operate.ts', 'approve-pin-reset'], '--email=E-MAIL'],
    ['npm run verify-ledger', ['operate.ts', 'verify-ledger'], '--checkpoint=SIGNATURE'],
    ['npm run after-restore', ['after-restore.ts'], 'RABBITMQ_URL'],
    ['npm run verify-receipt', ['operate.ts', 'verify-receipt'], '[RECEIPT]'],
  ];
  const runScript = ([file, ...args]: readonly string[]) =>
    run({
      command: process.execPath,
      args: ['--conditions=source', `${root}/scripts/${file}`, ...args],
      timeoutMs: 30_000,
    });

  test.each(scripts)('%s rejects an unknown option and prints help on one screen', async (name, words, line) => {
    const [help, refused] = await Promise.all([runScript([...words, '--help']), runScript([...words, '--unknown'])]);

    expect(help.code).toBe(0);
    expect(help.output.startsWith(`Usage: ${name} -- [options]`)).toBe(true);
    expect(help.output).toContain(line);
    expect(help.output.split('\n').length).toBeLessThanOrEqual(24);
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(new RegExp(`^Unknown option --unknown\\. ${name} accepts: .*--help$`));
  });
});
