/** A name in a sentence, of at most 64 letters: the end of the sentence, and the keys of a PIN pad, stay in view on a phone. */
export const shortName = (name: string): string => name.replace(/^(.{63}).{2,}$/su, '$1…');
