import { describe, expect, test } from '@jest/globals';
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
  options: {},
  operands: { usage: '[DISH …]', help: 'what' },
  passesOn: { help: 'any option of a fork' },
});
const parse = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => parseCommandLine(cook, args, env);

describe('the command line of a script', () => {
  test('when options are given in any form, then their values are read', () => {
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
  ])('when it is %j, then it is refused in one line', (args, message) => {
    expect(() => parse(args)).toThrow(message);
    expect(() => parse(args)).toThrow(/^.*$/);
  });

  test('when a command passes options on, then they and the operands keep their order', () => {
    expect(parseCommandLine(eat, ['rice', '--silver', '-t', 'x'], {}).others).toEqual(['rice', '--silver', '-t', 'x']);
  });

  test.each([
    [{ npm_config_slowly: 'true' }, [], 'npm took --slowly for itself. Put -- before it:   npm run cook -- --slowly'],
    [
      { npm_config_pace: '3', npm_config_for_table: '7' },
      ['--slowly'],
      'npm run cook -- --pace=3 --for-table=7 --slowly',
    ],
  ])('when npm took options (%j), then the refusal has the right line', (env, args, message) => {
    expect(() => parse(args, { ...env, npm_lifecycle_event: 'cook' })).toThrow(message);
    expect(() => parse(args, { ...env, npm_lifecycle_event: 'another' })).not.toThrow();
  });

  test('when help is asked for, then the usage lists all that the parser knows', () => {
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
    expect(usage(eat)).toMatch(
      /^Usage: npm run eat -- \[options\] \[DISH …\]\nEats\.\n\n {2}\[DISH …\] {3}what\n {2}--… +any option/,
    );
  });
});
