export const en = {
  title: 'Sessions',
  here: 'This device',
  signedIn: (when: string) => `Signed in ${when}`,
  lastUse: (when: string) => `Last used ${when}`,
  ends: (when: string) => `Ends ${when} at the latest`,
  end: 'End session',
  endOf: (device: string) => `End session: ${device}`,
  reading: 'Reading…',
  readAgain: 'Read again',
  device: (browser: string, system: string) => `${browser} on ${system}`,
  unknownDevice: 'Unknown device',
};
