import { describe, expect, test } from '@jest/globals';
import { parseCommandLine, usage } from '../command-line.ts';
import { commandLineOf, readArguments, startCommand, type StartOptions } from './arguments.ts';

const read = (args: readonly string[], env: NodeJS.ProcessEnv): StartOptions =>
  readArguments(parseCommandLine(startCommand, args, env).values, env);

describe('the npm start command line', () => {
  test('uses the default ports without arguments', () => {
    expect(read([], {})).toEqual({
      reset: false,
      empty: false,
      lan: false,
      simulationPace: null,
      gatewayPort: 3000,
      notifierPort: 3004,
      given: {},
    });
  });
  test.each([
    ['--simulate', 10],
    ['--simulate=2.5', 2.5],
    ['--dinner', 10], // the option's name until 1.0
    ['--dinner=30', 30],
  ])('%s simulates guests and staff at %p times their real pace', (flag, pace) => {
    expect(read([flag], {}).simulationPace).toBe(pace);
  });
  test.each(['--simulate=', '--simulate=0', '--simulate=fast', '--simulate=101', '--simulates'])(
    'rejects %s',
    (flag) => {
      expect(() => read([flag], {})).toThrow(/--simulate/);
    },
  );
  test('lists the valid flags after an unknown one', () => {
    expect(() => read(['--lam'], {})).toThrow(/^Unknown option --lam\. .*--lan.*--reset.*$/);
  });
  test.each(['0', '65536', '80.5', 'http', '-1', ' 1'])('names the setting if a port is %p', (value) => {
    expect(() => read([], { GATEWAY_PORT: value })).toThrow(/GATEWAY_PORT/);
  });
  test('rejects stopping and deleting the data at the same time', () => {
    expect(() => read(['--stop', '--reset'], {})).toThrow(/^--stop and --reset exclude each other\./);
  });
  test('rejects simulating a restaurant without demo data', () => {
    expect(() => read(['--empty', '--simulate'], {})).toThrow(/^--empty and --simulate exclude each other: /);
  });
  test('starts without demo data with --empty, even on other servers', () => {
    expect(read(['--empty'], { MONGODB_URI: 'x://y' })).toMatchObject({ empty: true, simulationPace: null });
  });
  test('rejects equal ports', () => {
    expect(() => read([], { NOTIFIER_PORT: '3000' })).toThrow(/different/);
  });
  test.each(['MONGODB_URI', 'REDIS_URL', 'RABBITMQ_URL'])('rejects --reset and --simulate if %s is set', (name) => {
    const env = { [name]: 'x://y' };
    expect(() => read(['--reset'], env)).toThrow(new RegExp(`but ${name} is set\\. Unset it, or omit --reset\\.$`));
    expect(() => read(['--simulate'], env)).toThrow(
      new RegExp(`but ${name} is set\\. Unset it, or omit --simulate\\.$`),
    );
    expect(Object.values(read([], env).given)).toEqual(['x://y']);
    expect(usage(startCommand)).toMatch(new RegExp(`${name} .*no demo data`));
  });
  test('names both settings if two servers are given', () => {
    expect(() => read(['--simulate=2'], { MONGODB_URI: 'x://y', RABBITMQ_URL: 'x://y' })).toThrow(
      'but MONGODB_URI and RABBITMQ_URL are set. Unset them,',
    );
  });

  test('prints the ports and options that differ from the defaults', () => {
    expect(commandLineOf(read(['--empty'], {}), { GATEWAY_PORT: 3000, NOTIFIER_PORT: 3004 })).toBe(
      'npm start -- --empty',
    );
    const start = read(['--simulate', '--lan'], {});
    expect(commandLineOf(start, { GATEWAY_PORT: 3100, NOTIFIER_PORT: 3104 })).toBe(
      'GATEWAY_PORT=3100 NOTIFIER_PORT=3104 npm start -- --lan --simulate=10',
    );
    expect(commandLineOf(read([], {}), { GATEWAY_PORT: 3100, NOTIFIER_PORT: 3004 })).toBe(
      'GATEWAY_PORT=3100 npm start',
    );
  });
});
