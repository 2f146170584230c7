import { describe, expect, test } from '@jest/globals';
import { createServerClock } from './server-clock.ts';

const hourMs = 3600_000;
const serverMs = Date.parse('2026-11-20T21:00:00.400Z');
const header = new Date(serverMs).toUTCString();
/** A device whose clock is so far ahead of the server's. */
function openDevice(aheadMs: number) {
  const device = { ms: serverMs + aheadMs };
  return { device, clock: createServerClock(() => device.ms) };
}

describe('the time of the server', () => {
  test('when the clock of the device is hours wrong, then the Date of an answer corrects it to a second', () => {
    for (const aheadMs of [-5 * hourMs, 7 * hourMs]) {
      const { clock } = openDevice(aheadMs);

      clock.takeDateHeader(header, 200);

      expect(Math.abs(clock.now() - serverMs)).toBeLessThan(1000);
    }
  });

  test('when the clock of the device fits the Date, then it is kept: ages do not jump', () => {
    const { clock } = openDevice(150);

    clock.takeDateHeader(header, 200);

    expect(clock.offsetMs()).toBe(0);
  });

  test('when the exact time is known, then a Date that fits does not replace it', () => {
    const { clock, device } = openDevice(3 * hourMs);
    clock.takeTime(new Date(serverMs).toISOString());
    device.ms += 300;

    clock.takeDateHeader(header, 100);

    expect(clock.now()).toBe(serverMs + 300);
  });

  test('when somebody sets the clock of the device, then the next Date corrects it', () => {
    const { clock, device } = openDevice(0);
    clock.takeTime(new Date(serverMs).toISOString());
    device.ms += 2 * hourMs;

    clock.takeDateHeader(header, 100);

    expect(Math.abs(clock.now() - serverMs)).toBeLessThan(1100);
  });

  test('when an answer has no Date, as from another origin, then nothing changes', () => {
    const { clock } = openDevice(hourMs);

    clock.takeDateHeader(null, 100);
    clock.takeDateHeader('yesterday', 100);

    expect(clock.offsetMs()).toBe(0);
  });
});
