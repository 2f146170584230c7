import type { Entry } from '@comanda/ui/device-entry.ts';
import type { Signal } from '@preact/signals';
import type { Choices, Settings } from '../device/settings.ts';
import { onDevice } from '../on-device.ts';

const entries: { [Name in keyof Choices]: Entry<Choices[Name]> } = onDevice;

/** Selects a setting for this device, for this shift and later ones. */
export function choose<Name extends keyof Choices>(settings: Settings, name: Name, value: Choices[Name]): void {
  const current: Signal<Choices[Name]> = settings[name];
  current.value = value;
  entries[name].write(value);
}
