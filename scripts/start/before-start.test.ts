import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../servers/free-port.ts';
import { readArguments } from './arguments.ts';
import { checkBeforeStart, refuseFullDisk } from './before-start.ts';

describe('the checks before start', () => {
  test.each(['GATEWAY_PORT', 'NOTIFIER_PORT'])(
    'when the port of %s is in use, then the refusal names the port and the setting',
    async (name) => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const folder = mkdtempSync(join(tmpdir(), 'before-start-'));
      try {
        const free = String(await freePort());
        const start = readArguments([], {
          GATEWAY_PORT: free,
          NOTIFIER_PORT: free.replace(/.$/, '0'),
          [name]: String(port),
        });
        await expect(checkBeforeStart(start, folder)).rejects.toThrow(new RegExp(`Port ${port}\\b.*${name}=`));
      } finally {
        other.close();
        await once(other, 'close');
        rmSync(folder, { recursive: true });
      }
    },
  );
  test('when the disk is nearly full, then the refusal says how much is free and how much is needed', () => {
    expect(() => refuseFullDisk({ freeBytes: 12_345_678, folder: '/data' })).toThrow(/12 MB.*\/data.*1000 MB/);
    expect(() => refuseFullDisk({ freeBytes: 2e9, folder: '/data' })).not.toThrow();
  });
});
