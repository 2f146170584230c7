import { expect, test } from '@jest/globals';
import { freePort } from './free-port.ts';
import { run } from './command.ts';

test("freePort doesn't return the same port twice before a process listens on it", async () => {
  const port = await freePort();
  const askFor = (first: number): string => `
    import crypto from 'node:crypto';
    import { syncBuiltinESMExports } from 'node:module';
    const { randomInt } = crypto;
    const draws = [${first}];
    crypto.randomInt = (from, to) => draws.shift() ?? randomInt(from, to);
    syncBuiltinESMExports();
    const { freePort } = await import('${new URL('free-port.ts', import.meta.url)}');
    console.log(await freePort());`;

  const args = ['--input-type=module', '--eval', askFor(port)];
  const { code, output } = await run({ command: process.execPath, args });

  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^\d{5}$/) });
  expect(Number(output)).not.toBe(port);
});
