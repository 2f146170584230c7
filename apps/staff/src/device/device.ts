import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import { openScreenRelease } from '../release/open-screen-release.ts';
import { createAwake } from './keep-awake.ts';
import { askKeptStorage } from './kept-storage.ts';
import { openKeys } from './keys.ts';
import { openSettings } from './settings.ts';
import { createSounds } from './sounds.ts';

/** What this screen has, whoever is signed in. */
export type Device = ReturnType<typeof openDevice>;

export function openDevice() {
  const [sounds, awake] = [createSounds(), createAwake()];
  let isAlert = false;
  return {
    name: deviceName(),
    settings: openSettings(),
    sounds,
    keys: openKeys(),
    awake,
    release: openScreenRelease(),
    /**
     * Called with a touch of the board: it brings back what the browser allows only then, sounds and, after a reload, the whole
     * screen. Somebody who leaves the whole screen later is not forced back.
     */
    alert: (): void => {
      void awake.keep();
      if (sounds.state.peek() === 'blocked') void sounds.unlock();
      if (isAlert) return;
      isAlert = true;
      fillScreen();
    },
    /** At the start of a shift: every sound once, the whole screen, a display that stays on, settings that stay. */
    start: (): void => {
      isAlert = true;
      void sounds.playAll();
      void awake.keep();
      void askKeptStorage();
      fillScreen();
    },
  };
}

/** Refused in a frame, or where there is no full screen, as on a telephone: the board then fills the window. */
function fillScreen(): void {
  if (!document.fullscreenElement) document.documentElement.requestFullscreen?.().catch(() => {});
}

/** As reports of seen orders give it. */
function deviceName(): string {
  const kept = readSetting('kitchen.device');
  if (kept !== null) return kept;
  const made = `kitchen-${Math.random().toString(36).slice(2, 6)}`;
  writeSetting('kitchen.device', made);
  return made;
}
