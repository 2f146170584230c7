import type { Client } from '@comanda/client/core';
import { expect, test } from '@jest/globals';
import type { Lock } from './lock.ts';
import { openPin, type PinState } from './pin.ts';

const lock = { askToSignInAgain: () => {} } as unknown as Lock;
const stateOf = (status: PinState['status']) => ({ status }) as PinState;

/** Opens a PIN. The test decides when and how each request for its state gets a response. */
function openHeld() {
  const asked: ((answer: PinState) => void)[] = [];
  const calls = {
    transactionPassword: () => new Promise<PinState>((resolve) => asked.push(resolve)),
    createTransactionPassword: () => Promise.resolve(stateOf('usable')),
  };
  return { pin: openPin({ calls } as unknown as Client, lock), asked };
}

test('a PIN that is set while its state is loading is not hidden by the outdated response', async () => {
  const { pin, asked } = openHeld();
  const read = pin.read();
  await pin.set('create', { pin: '739152', current: '', password: '' });
  asked[0]?.(stateOf('absent'));
  await read;
  expect(pin.state.value?.status).toBe('usable');
});

test('the response to the later of two requests counts, even if it arrives first', async () => {
  const { pin, asked } = openHeld();
  const reads = [pin.read(), pin.read()];
  asked[1]?.(stateOf('usable'));
  asked[0]?.(stateOf('absent'));
  await Promise.all(reads);
  expect(pin.state.value?.status).toBe('usable');
});
