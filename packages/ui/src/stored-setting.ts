/** Reads a setting that the user chose on this device. Null if there is none, or the browser keeps nothing. */
export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(`comanda.${name}`);
  } catch {
    return null;
  }
}

/** Keeps a setting on this device; without storage it holds until the page is closed. */
export function writeSetting(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`comanda.${name}`);
    else localStorage.setItem(`comanda.${name}`, value);
  } catch {
    // A private window may refuse. The setting holds in memory.
  }
}
