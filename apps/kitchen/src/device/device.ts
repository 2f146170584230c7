import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import { createAwake } from './keep-awake.ts';
import { openKeys } from './keys.ts';
import { openSettings } from './settings.ts';
import { createSounds } from './sounds.ts';

/** What this screen has, whoever is signed in. */
export type Device = ReturnType<typeof openDevice>;

export const openDevice = () => ({
  name: deviceName(),
  settings: openSettings(),
  sounds: createSounds(),
  keys: openKeys(),
  awake: createAwake(),
});

/** As reports of seen orders give it. */
function deviceName(): string {
  const kept = readSetting('kitchen.device');
  if (kept !== null) return kept;
  const made = `kitchen-${Math.random().toString(36).slice(2, 6)}`;
  writeSetting('kitchen.device', made);
  return made;
}
