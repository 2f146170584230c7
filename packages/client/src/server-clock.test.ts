import { describe, expect, test } from '@jest/globals';
import { createServerClock } from './server-clock.ts';

const hourMs = 3600_000;
const serverMs = Date.parse('2026-11-20T21:00:00.400Z');
const header = new Date(serverMs).toUTCString();
/** Creates a device whose clock is `aheadMs` milliseconds ahead of the server's clock. */
function openDevice(aheadMs: number) {
  const device = { ms: serverMs + aheadMs };
  return { device, clock: createServerClock(() => device.ms) };
}

describe('server clock', () => {
  test("is corrected by a response's Date header when the device's clock is hours wrong", () => {
    for (const aheadMs of [-5 * hourMs, 7 * hourMs]) {
      const { clock } = openDevice(aheadMs);

      clock.takeDateHeader(header, 200);

      expect(Math.abs(clock.now() - serverMs)).toBeLessThan(1000);
    }
  });

  test("keeps the device's time if the Date header agrees with it", () => {
    const { clock } = openDevice(150);

    clock.takeDateHeader(header, 200);

    expect(clock.offsetMs()).toBe(0);
  });

  test('stays exact if the Date header agrees with the known time', () => {
    const { clock, device } = openDevice(3 * hourMs);
    clock.takeTime(new Date(serverMs).toISOString());
    device.ms += 300;

    clock.takeDateHeader(header, 100);

    expect(clock.now()).toBe(serverMs + 300);
  });

  test("is corrected by the next Date header after the device's clock was changed", () => {
    const { clock, device } = openDevice(0);
    clock.takeTime(new Date(serverMs).toISOString());
    device.ms += 2 * hourMs;

    clock.takeDateHeader(header, 100);

    expect(Math.abs(clock.now() - serverMs)).toBeLessThan(1100);
  });

  test('stays unchanged without a Date header, as in a response from another origin', () => {
    const { clock } = openDevice(hourMs);

    clock.takeDateHeader(null, 100);
    clock.takeDateHeader('yesterday', 100);

    expect(clock.offsetMs()).toBe(0);
  });
});
