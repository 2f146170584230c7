import { describe, expect, test } from '@jest/globals';
import { parseCommandLine } from '../command-line.ts';
import { commandLineOf, readArguments, startCommand, type StartOptions } from './arguments.ts';

const read = (args: readonly string[], env: NodeJS.ProcessEnv): StartOptions =>
  readArguments(parseCommandLine(startCommand, args, env).values, env);

describe('the command line of npm start', () => {
  test('when there are no arguments, then the default ports are used', () => {
    expect(read([], {})).toEqual({
      reset: false,
      lan: false,
      dinner: null,
      gatewayPort: 3000,
      notifierPort: 3004,
      given: {},
    });
  });
  test.each([
    ['--dinner', 10],
    ['--dinner=2.5', 2.5],
  ])('when it is %s, then the pace of the dinner is %p', (flag, pace) => {
    expect(read([flag], {}).dinner).toBe(pace);
  });
  test.each(['--dinner=', '--dinner=0', '--dinner=fast', '--dinner=101', '--dinners'])(
    'when it is %s, then it is refused',
    (flag) => {
      expect(() => read([flag], {})).toThrow(/--dinner/);
    },
  );
  test('when a flag is unknown, then the refusal names it and lists the valid flags', () => {
    expect(() => read(['--lam'], {})).toThrow(/^Unknown option --lam\. .*--lan.*--reset.*$/);
  });
  test.each(['0', '65536', '80.5', 'http', '-1', ' 1'])(
    'when a port is %p, then the refusal names the setting',
    (value) => {
      expect(() => read([], { GATEWAY_PORT: value })).toThrow(/GATEWAY_PORT/);
    },
  );
  test('when both ports are equal, then they are refused', () => {
    expect(() => read([], { NOTIFIER_PORT: '3000' })).toThrow(/different/);
  });
  test.each(['MONGODB_URI', 'REDIS_URL', 'RABBITMQ_URL'])('when %s is set, then --reset is refused', (name) => {
    expect(() => read(['--reset'], { [name]: 'x://y' })).toThrow(/omit --reset/);
    expect(Object.values(read([], { [name]: 'x://y' }).given)).toEqual(['x://y']);
  });

  test('when it is written down again, then it has the ports and options that differ from the defaults', () => {
    const start = read(['--dinner', '--lan'], {});
    expect(commandLineOf(start, { GATEWAY_PORT: 3100, NOTIFIER_PORT: 3104 })).toBe(
      'GATEWAY_PORT=3100 NOTIFIER_PORT=3104 npm start -- --lan --dinner=10',
    );
    expect(commandLineOf(read([], {}), { GATEWAY_PORT: 3100, NOTIFIER_PORT: 3004 })).toBe(
      'GATEWAY_PORT=3100 npm start',
    );
  });
});
