/**
 * What is compared where people type a name: of a dish, a station, a category, a table. Texts with equal keys are the same
 * name, because people read them as the same. It is Unicode's `toNFKC_Casefold`, with three differences: blanks count once and
 * not at the ends, the four letters i of Turkish are one letter, and emoji that a joiner or tags make stay apart from others.
 * The key of a key is itself, and no device's language changes it. Show the text, never its key.
 */
export const textKey = (text: string): string =>
  lowerCase(withoutInvisible(text.normalize('NFKC')))
    .replace(blanks, ' ')
    .trim();

/** Whether people read both as the same name; null is none, and the same as none. */
export const isSameName = (one: string | null, other: string | null): boolean =>
  one === other || (one !== null && other !== null && textKey(one) === textKey(other));

/** The first text of each key, in their order. */
export const oneOfEachKey = (texts: readonly string[]): string[] => {
  const byKey = new Map<string, string>();
  for (const text of texts) if (!byKey.has(textKey(text))) byKey.set(textKey(text), text);
  return [...byKey.values()];
};

/** Texts that differ and have one key, each such group by itself: what an earlier release has kept apart. */
export function twinsOf(texts: readonly string[], keyOf: (text: string) => string = textKey): string[][] {
  const byKey = new Map<string, Set<string>>();
  for (const text of texts) byKey.set(keyOf(text), (byKey.get(keyOf(text)) ?? new Set()).add(text));
  return [...byKey.values()].filter(({ size }) => size > 1).map((twins) => [...twins]);
}

/** `"Bar" and "bar"`, with what nobody sees as its code: `"Fei\\u{ad}joada"`. */
export const showTwins = (twins: readonly string[]): string => twins.map(showText).join(' and ');
const showText = (text: string): string =>
  JSON.stringify(text.normalize('NFC') === text ? text : text.normalize('NFD')).replace(
    /[\p{Default_Ignorable_Code_Point}\p{M}]/gu,
    (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`,
  );

// U+2800, Braille without dots, is no white space but looks like it.
const blanks = /[\s\u2800]+/gu;

// Safari reads `(?<=` since 16.4 only.
const emojiBeforeJoiner = String.raw`(\p{Extended_Pictographic}\p{Emoji_Modifier}?)\ufe0f?\u200d(?=\p{Extended_Pictographic})`;
const flagOfTags = String.raw`(\u{1f3f4}[\u{e0020}-\u{e007f}]+)`;
const joinedOrInvisible = new RegExp(`${emojiBeforeJoiner}|${flagOfTags}|\\p{Default_Ignorable_Code_Point}`, 'gu');

const withoutInvisible = (text: string): string =>
  text.replace(joinedOrInvisible, (_, emoji?: string, flag?: string) => (emoji ? `${emoji}\u200d` : (flag ?? '')));

/** Upper case in between makes ẞ, ß and ss the same, and ı and i. */
const lowerCase = (text: string): string =>
  text.toLowerCase().toUpperCase().toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ς', 'σ').normalize('NFKC');
