/**
 * Shortens a name in a sentence to 64 letters, so that the end of the sentence and the keys of a PIN pad stay in view on a phone.
 */
export const shortName = (name: string): string => name.replace(/^(.{63}).{2,}$/su, '$1…');
