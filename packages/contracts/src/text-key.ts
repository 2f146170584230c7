/**
 * Returns the key used to compare the names of dishes, stations, categories and tables. Names with equal keys are the same name,
 * because they look the same to people. The key is Unicode's `toNFKC_Casefold`, with three differences: several blanks in a row
 * become one, and blanks at the ends are removed; the four Turkish forms of i are one letter; and emoji that are combined by a
 * joiner or by tags stay distinct. The key of a key is the same key, and keys do not depend on the device's language. Show the
 * text to people, never its key.
 */
export const textKey = (text: string): string =>
  lowerCase(withoutInvisible(text.normalize('NFKC')))
    .replace(blanks, ' ')
    .trim();

/** Returns true if people read both names as the same. Null means that there is no name, and equals only null. */
export const isSameName = (one: string | null, other: string | null): boolean =>
  one === other || (one !== null && other !== null && textKey(one) === textKey(other));

/** Returns the texts without repetitions: of all texts with the same key, only the first. */
export const oneOfEachKey = (texts: readonly string[]): string[] => {
  const byKey = new Map<string, string>();
  for (const text of texts) if (!byKey.has(textKey(text))) byKey.set(textKey(text), text);
  return [...byKey.values()];
};

/** Returns groups of twins: different texts with the same key. Earlier releases accepted them as different names. */
export function twinsOf(texts: readonly string[], keyOf: (text: string) => string = textKey): string[][] {
  const byKey = new Map<string, Set<string>>();
  for (const text of texts) byKey.set(keyOf(text), (byKey.get(keyOf(text)) ?? new Set()).add(text));
  return [...byKey.values()].filter(({ size }) => size > 1).map((twins) => [...twins]);
}

/** Formats a group of twins for people: `"Bar" and "bar"`. Invisible characters appear as codes: `"Fei\u{ad}joada"`. */
export const showTwins = (twins: readonly string[]): string => twins.map(showText).join(' and ');
const showText = (text: string): string =>
  JSON.stringify(text.normalize('NFC') === text ? text : text.normalize('NFD')).replace(
    /[\p{Default_Ignorable_Code_Point}\p{M}]/gu,
    (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`,
  );

// Matches white space, and U+2800: Braille without dots looks like white space.
const blanks = /[\s\u2800]+/gu;

// A lookbehind `(?<=` would be shorter, but Safari supports it only since version 16.4.
const emojiBeforeJoiner = String.raw`(\p{Extended_Pictographic}\p{Emoji_Modifier}?)\ufe0f?\u200d(?=\p{Extended_Pictographic})`;
const flagOfTags = String.raw`(\u{1f3f4}[\u{e0020}-\u{e007f}]+)`;
const joinedOrInvisible = new RegExp(`${emojiBeforeJoiner}|${flagOfTags}|\\p{Default_Ignorable_Code_Point}`, 'gu');

const withoutInvisible = (text: string): string =>
  text.replace(joinedOrInvisible, (_, emoji?: string, flag?: string) => (emoji ? `${emoji}\u200d` : (flag ?? '')));

/** Folds case. Converting to upper case first makes ẞ, ß and ss the same, and also ı and i. */
const lowerCase = (text: string): string =>
  text.toLowerCase().toUpperCase().toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ς', 'σ').normalize('NFKC');
