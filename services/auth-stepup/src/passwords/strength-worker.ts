import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';
import * as portuguese from '@zxcvbn-ts/language-pt-br';

export type StrengthTask = {
  password: string;
  /** Words that are easy to guess for this user: the name, the e-mail address and their parts. */
  ownWords: readonly string[];
};
/** The reason why a password is weak: the name of a zxcvbn warning, or `guessable` if zxcvbn gives none. */
export type Weakness = string;

/** How many characters of a password are checked. The time grows faster than the length: 32 characters take at most 0.3 s. */
const maxEstimated = 32;
/** The lowest accepted zxcvbn score: 3 of 4 means at least 10^8 guesses. */
const minScore = 3;

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary, ...portuguese.dictionary },
  graphs: common.adjacencyGraphs,
  maxLength: maxEstimated,
});

// oxlint-disable-next-line import/no-default-export -- piscina calls a worker's default export
export default ({ password, ownWords }: StrengthTask): Weakness | null => {
  const { score, feedback } = zxcvbn.check(
    password,
    ownWords.map((word) => word.slice(0, maxEstimated)),
  );
  return score >= minScore ? null : (feedback.warning ?? 'guessable');
};
