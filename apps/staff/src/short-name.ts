/** Shortens a name to 64 characters, so that the rest of its sentence and the keys of a PIN pad stay in view on a phone. */
export const shortName = (name: string): string => name.replace(/^(.{63}).{2,}$/su, '$1…');
