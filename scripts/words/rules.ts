/** The allowed types at the start of a commit's subject. */
const types = ['feat', 'fix', 'perf', 'refactor', 'test', 'docs', 'build', 'bench', 'chore'];
const maxSubjectLength = 72;
/** Words that can't start a description, because it must be a command. */
const noVerb = /^(?:a|an|the|all|each|every|no|of|what|when|where|who|whoever|if|it|its|this|that|there)\b/i;

/** Returns the fault in a commit's subject, or null if it is fine. */
export function findSubjectFault(subject: string): string | null {
  const [, type = '', description = ''] = /^([a-z]+)(?:\([a-z0-9,. /-]+\))?!?: (.+)$/.exec(subject) ?? [];
  if (!types.includes(type)) return `should be type(scope): command, with a type of ${types.join(', ')}`;
  if (subject.length > maxSubjectLength) return `has ${subject.length} characters, ${maxSubjectLength} are allowed`;
  return noVerb.test(description) ? 'should be a command: start with a verb, such as "show the date"' : null;
}

const maxEntryWords = 20;

/** Lists the changelog entries with too many words. A link counts by its text. */
export function findLongEntries(changelog: string): string[] {
  const entries = [...changelog.matchAll(/^- (.+(?:\n {2}.+)*)/gm)].map(([, text = '']) =>
    text.replaceAll(/\s+/g, ' '),
  );
  const countWords = (entry: string): number =>
    entry
      .replaceAll(/\]\([^)]*\)/g, ']')
      .split(' ')
      .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return entries.filter((entry) => countWords(entry) > maxEntryWords);
}

/**
 * Words that no text in the apps may contain, each with a replacement. None of them is a valid word in the apps' other language.
 */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/\b(?:somebody|everybody|whoever)\b/i, 'say which person'],
  [/\bany more\b/i, 'no longer'],
  [/\balso if\b/i, 'even if'],
  [/\bReading\b/, 'Loading…'],
  [/\bNothing was taken\b/i, "You weren't charged"],
  [/\bon sale\b/i, 'available'],
  [/[\d}] %/, 'no space before %'],
  [/\bLendo\b/, 'Carregando…'],
  [/\bno fogo\b/i, 'em preparo'],
  [/\balgarismos?\b/i, 'dígitos'],
  [/\balérgenos?\b/i, 'alergênicos'],
];

/** Lists the texts in a message file that contain a forbidden word, each with a replacement. */
export function findForbiddenWords(source: string): string[] {
  const code = source.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  const texts = code.match(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g) ?? [];
  return texts.flatMap((text) =>
    forbidden.filter(([pattern]) => pattern.test(text)).map(([, instead]) => `${text} (${instead})`),
  );
}
