import { afterEach, expect, test } from '@jest/globals';
import { openAudio, type Audio } from './audio.ts';

const names = ['navigator', 'AudioContext', 'addEventListener', 'removeEventListener', 'KeyboardEvent', 'Element'];
const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
let audio: Audio | undefined;
afterEach(() => {
  audio?.close();
  for (const [name, own] of before) {
    Reflect.deleteProperty(globalThis, name);
    if (own) Object.defineProperty(globalThis, name, own);
  }
});

/** Opens a page on which the test can stop sounds, as a browser would. */
function openPage() {
  class Context extends EventTarget {
    state = 'suspended';
    close = () => Promise.resolve();
    resume = () => Promise.resolve(this.become('running'));
    become(state: string): void {
      this.state = state;
      this.dispatchEvent(new Event('statechange'));
    }
    constructor() {
      super();
      contexts.push(this);
    }
  }
  const contexts: Context[] = [];
  const window = new EventTarget();
  const navigator = { audioSession: { type: 'auto' } };
  const stubs = {
    navigator,
    AudioContext: Context,
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    KeyboardEvent: class KeyboardEvent extends Event {},
    Element: class Element {
      closest = () => null;
    },
  };
  for (const [name, value] of Object.entries(stubs))
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
  return {
    navigator,
    contexts,
    touch: async (): Promise<void> => {
      window.dispatchEvent(new Event('pointerup'));
      await new Promise(setImmediate);
    },
  };
}

test.each([
  ['a board', true, 'playback'],
  ['a guest’s phone', false, 'auto'],
])('the audio session for %s on an iPhone in silent mode is %j', async (_what, isEvenIfMuted, type) => {
  const { navigator } = openPage();
  audio = openAudio({ isWanted: () => true, isEvenIfMuted });
  await audio.resume();

  expect(navigator.audioSession.type).toBe(type);
});

test('a touch turns sounds on again after the browser has stopped them', async () => {
  const { contexts, touch } = openPage();
  audio = openAudio({ isWanted: () => true });
  await touch();
  const first = audio.isRunning.value;
  contexts[0]?.become('suspended');
  const stopped = audio.isRunning.value;
  await touch();

  expect([first, stopped, audio.isRunning.value, contexts.length]).toEqual([true, false, true, 1]);
});

test('the first touch after a phone call restarts the sound even if Safari reports it as running', async () => {
  const { contexts, touch } = openPage();
  audio = openAudio({ isWanted: () => true });
  await touch();
  contexts[0]?.become('interrupted');
  await touch();

  expect([contexts.length, audio.isRunning.value]).toEqual([2, true]);
});
