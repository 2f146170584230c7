import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';

/** Whether Node has its fetch in memory after `program`; asked of a new process, as nothing takes it out again. */
function loadsFetch(program: string): boolean {
  const asked = `${program}; await import('node:http'); console.log(process.moduleLoadList.join());`;
  const url = new URL('small.ts', import.meta.url).href;
  const script = `import { leaveOutWebSocketClient } from '${url}'; ${asked}`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }).includes(
    'internal/deps/undici/undici',
  );
}

test('when the WebSocket client is left out, then importing node:http no longer brings in fetch', () => {
  expect(loadsFetch('')).toBe(true);
  expect(loadsFetch('leaveOutWebSocketClient()')).toBe(false);
});
