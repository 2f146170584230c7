import { forms } from './forms.en.ts';

export const en = {
  title: 'Sessions',
  here: 'This device',
  signedIn: (when: string) => `Signed in ${when}`,
  lastUse: (when: string) => `Last used ${when}`,
  ends: (when: string) => `Expires ${when}`,
  end: 'End session',
  endOf: (device: string) => `End session: ${device}`,
  reading: forms.loading,
  readAgain: 'Reload',
  device: (browser: string, system: string) => `${browser} on ${system}`,
  unknownDevice: 'Unknown device',
};
