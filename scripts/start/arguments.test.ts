import { describe, expect, test } from '@jest/globals';
import { readArguments } from './arguments.ts';

describe('the command line of npm start', () => {
  test('when there are no arguments, then the default ports are used', () => {
    expect(readArguments([], {})).toEqual({
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
    expect(readArguments([flag], {}).dinner).toBe(pace);
  });
  test.each(['--dinner=', '--dinner=0', '--dinner=fast', '--dinner=101', '--dinners'])(
    'when it is %s, then it is refused',
    (flag) => {
      expect(() => readArguments([flag], {})).toThrow(/--dinner/);
    },
  );
  test('when a flag is unknown, then the refusal names it and lists the valid flags', () => {
    expect(() => readArguments(['--lam'], {})).toThrow(/--lam[^]*--lan[^]*--reset/);
  });
  test.each(['0', '65536', '80.5', 'http', '-1', ' 1'])(
    'when a port is %p, then the refusal names the setting',
    (value) => {
      expect(() => readArguments([], { GATEWAY_PORT: value })).toThrow(/GATEWAY_PORT/);
    },
  );
  test('when both ports are equal, then they are refused', () => {
    expect(() => readArguments([], { NOTIFIER_PORT: '3000' })).toThrow(/different/);
  });
  test.each(['MONGODB_URI', 'REDIS_URL', 'RABBITMQ_URL'])('when %s is set, then --reset is refused', (name) => {
    expect(() => readArguments(['--reset'], { [name]: 'x://y' })).toThrow(/omit --reset/);
    expect(Object.values(readArguments([], { [name]: 'x://y' }).given)).toEqual(['x://y']);
  });
});
