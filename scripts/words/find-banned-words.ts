import { matchesGlob } from 'node:path';
import type { BannedWord } from './banned-words.ts';

export type Finding = {
  /** 1 for the first line; 0 for the name of the file. */
  line: number;
  /** The word as it is written there. */
  found: string;
  say: string;
};
type SourceFile = { path: string; text: string };

/** Two words are separated by a change of case, a hyphen, an underscore or one space. */
const separator = String.raw`(?:[-_ ]|(?<=[a-z0-9])(?=[A-Z]))`;
const start = String.raw`(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))`;
const end = String.raw`(?:(?![A-Za-z])|(?<=[a-z])(?=[A-Z]))`;

/** A pattern for a word or a phrase with hyphens: `let-go` matches `letGo`, `let-go`, `LetGo`, `let_go` and `let go`. */
export function phrasePattern(phrase: string): RegExp {
  const words = phrase.split('-').map((word) => `[${word[0]?.toUpperCase()}${word[0]}]${word.slice(1)}`);
  return new RegExp(start + words.join(separator) + end, 'g');
}

const commentOrLiteral =
  /\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[^]|[^`\\])*`|(?<=[(=:,[!&|?]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*/g;
const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** The text with blanks in place of comments and literals. Lines and columns stay the same. */
export const codeOnly = (text: string): string => text.replaceAll(commentOrLiteral, blank);

/** The text with blanks in place of everything except comments and literals. */
export function proseOnly(text: string): string {
  let prose = '';
  let position = 0;
  for (const { 0: match, index } of text.matchAll(commentOrLiteral)) {
    prose += blank(text.slice(position, index)) + match;
    position = index + match.length;
  }
  return prose + blank(text.slice(position));
}

const isSource = (path: string): boolean => /\.(ts|mjs|js)$/.test(path);

/** The part of the file's text in which an entry is searched. */
function searchedText({ path, text }: SourceFile, where: BannedWord['where']): string {
  if (where === 'paths') return '';
  if (where === 'names') return isSource(path) ? codeOnly(text) : '';
  if (where === 'prose' && isSource(path)) return proseOnly(text);
  return text;
}

function appliesTo({ files = ['**'], except = [] }: BannedWord, path: string): boolean {
  const matches = (glob: string): boolean => matchesGlob(path, glob);
  return files.some(matches) && !except.some(({ glob }) => matches(glob));
}

/** Returns a function that finds the banned words in the name and the text of a file. */
export function createWordFinder(bannedWords: readonly BannedWord[]): (file: SourceFile) => Finding[] {
  const entries = bannedWords.map((entry) => {
    const { phrases = [], patterns = [] } = entry;
    return { entry, patterns: [...phrases.map(phrasePattern), ...patterns.map((pattern) => new RegExp(pattern, 'g'))] };
  });
  return (file) => {
    const texts = new Map<BannedWord['where'], string[]>();
    const findings: Finding[] = [];
    for (const { entry, patterns } of entries) {
      if (!appliesTo(entry, file.path)) continue;
      const { say, where } = entry;
      const lines = texts.get(where) ?? searchedText(file, where).split('\n');
      texts.set(where, lines);
      for (const [line, text] of [where === 'prose' ? '' : file.path, ...lines].entries())
        for (const pattern of patterns)
          for (const [found] of text.matchAll(pattern)) findings.push({ line, found: found.trim(), say });
    }
    return findings.toSorted((a, b) => a.line - b.line);
  };
}
