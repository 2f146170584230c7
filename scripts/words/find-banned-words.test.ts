import { describe, expect, test } from '@jest/globals';
import { bannedWords, type BannedWord } from './banned-words.ts';
import { codeOnly, createWordFinder, phrasePattern, proseOnly } from './find-banned-words.ts';

/** A file in which the entry applies, with the example as its name or its text. */
function fileWith(entry: BannedWord, example: string): { path: string; text: string } {
  const folder = (entry.files?.[0] ?? 'scripts/**').replaceAll('**', 'x').replaceAll('*', 'x');
  if (entry.where === 'paths')
    return { path: example.includes('/src/') ? example : `${folder}/${example}.ts`, text: '' };
  return { path: `${folder}/example.ts`, text: example };
}
const find = (entry: BannedWord, example: string): string[] =>
  createWordFinder([entry])(fileWith(entry, example)).map(({ say }) => say);

const examples = (kind: 'banned' | 'allowed') =>
  bannedWords.flatMap((entry) => (entry.examples[kind] ?? []).map((example) => ({ example, say: entry.say, entry })));

describe('the list of banned words', () => {
  test.each(examples('banned'))(
    'when a file contains `$example`, then it is found: say $say',
    ({ example, say, entry }) => {
      const found = find(entry, example);

      expect(found).toContain(say);
    },
  );
  test.each(examples('allowed'))('when a file contains `$example`, then it is allowed', ({ example, entry }) => {
    const found = find(entry, example);

    expect(found).toEqual([]);
  });
  test('when an entry has an exception, then the exception has a reason', () => {
    const exceptions = bannedWords.flatMap(({ except = [] }) => except);

    expect(exceptions.filter(({ reason }) => reason.length < 10)).toEqual([]);
  });
});

describe('createWordFinder', () => {
  const examplesOf = { banned: [] };

  test.each(['letGo', 'let-go', 'let_go', 'let go', 'LetGo', 'bodyLetGoNow'])(
    'when a phrase is written as %p, then it is found',
    (text) => {
      expect(text).toMatch(phrasePattern('let-go'));
    },
  );
  test.each(['outlet good', 'letGolf', 'inletGo'])(
    'when the phrase is only part of the words in %p, then it is not found',
    (text) => {
      expect(text).not.toMatch(phrasePattern('let-go'));
    },
  );
  test('when a word is in the name of a file and in its text, then both are reported with their lines', () => {
    const desk: BannedWord = { say: 'OrderWriter', phrases: ['desk'], examples: examplesOf };

    const found = createWordFinder([desk])({ path: 'src/order-desk.ts', text: 'first\nconst desk = 1;\n' });

    expect(found).toEqual([
      { line: 0, found: 'desk', say: 'OrderWriter' },
      { line: 2, found: 'desk', say: 'OrderWriter' },
    ]);
  });
  test('when only names are searched, then comments and strings are ignored', () => {
    const wire: BannedWord = { say: 'socket', phrases: ['wire'], where: 'names', examples: examplesOf };

    const found = createWordFinder([wire])({ path: 'a.ts', text: "// on the wire\nlog('wire');\nconst wire = 1;" });

    expect(found.map(({ line }) => line)).toEqual([3]);
  });
  test('when only prose is searched, then identifiers are ignored', () => {
    const wire: BannedWord = { say: 'socket', phrases: ['wire'], where: 'prose', examples: examplesOf };

    const found = createWordFinder([wire])({ path: 'a.ts', text: "// on the wire\nlog('wire');\nconst wire = 1;" });

    expect(found.map(({ line }) => line)).toEqual([1, 2]);
  });
  test('when a file is an exception, then nothing is reported', () => {
    const except = [{ glob: 'docs/**', reason: 'quotes the customer' }];
    const desk: BannedWord = { say: 'OrderWriter', phrases: ['desk'], except, examples: examplesOf };

    const found = createWordFinder([desk])({ path: 'docs/a.md', text: 'desk' });

    expect(found).toEqual([]);
  });
});

describe('the parts of a source file', () => {
  const text = "const a = 'x'; // y\n/* z\nz */ const b = /it's/g;";
  const withoutBlanks = (part: string): string => part.replaceAll(/ +/g, ' ');

  test('when only code is read, then comments and literals are blank', () => {
    const code = codeOnly(text);

    expect(withoutBlanks(code)).toBe('const a = ; \n \n const b = ;');
  });
  test('when only prose is read, then everything else is blank', () => {
    const prose = proseOnly(text);

    expect(withoutBlanks(prose)).toBe(" 'x' // y\n/* z\nz */ /it's/g ");
  });
});
