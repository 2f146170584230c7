import { signal } from '@preact/signals';
import { onDevice } from '../on-device.ts';
import type { ScreenRelease } from '../release/open-screen-release.ts';
import { createAwake } from './keep-awake.ts';
import { openKeys } from './keys.ts';
import { openSettings } from './settings.ts';
import { createSounds } from './sounds.ts';

/** This screen's settings, sounds and keys, whoever is signed in. */
export type Device = ReturnType<typeof openDevice>;

export function openDevice(release: ScreenRelease) {
  const [sounds, awake] = [createSounds(), createAwake()];
  let isAlert = false;
  return {
    /** This screen's name in its reports, such as `kitchen-eylb`. */
    name: signal(deviceName()),
    settings: openSettings(),
    sounds,
    keys: openKeys(),
    awake,
    release,
    /**
     * Call this when someone touches the board. Restores what browsers allow only then: sounds and, after a reload, full screen.
     * If the user leaves full screen later, it stays off.
     */
    alert: (): void => {
      void awake.keep();
      if (sounds.state.peek() === 'blocked') void sounds.unlock();
      if (isAlert) return;
      isAlert = true;
      fillScreen();
    },
    /** Starts a shift: plays every sound once, fills the screen and keeps the display on. */
    start: (): void => {
      isAlert = true;
      void sounds.playAll();
      void awake.keep();
      fillScreen();
    },
  };
}

/** The browser rejects this in a frame, and on phones without full screen. The board then only fills the window. */
function fillScreen(): void {
  if (!document.fullscreenElement) document.documentElement.requestFullscreen?.().catch(() => {});
}

/** Returns the device's name for reports of seen orders. */
function deviceName(): string {
  const kept = onDevice.name.get();
  if (kept !== null) return kept;
  const made = `kitchen-${Math.random().toString(36).slice(2, 6)}`;
  onDevice.name.write(made);
  return made;
}
