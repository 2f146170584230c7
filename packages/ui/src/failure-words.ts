import { failureMessages } from './failure-messages.ts';
import { wordsOf, type FailureWords } from './read-failure-words.ts';

export type { FailureWords } from './read-failure-words.ts';

/**
 * Returns the message for a failed call.
 * @throws any error that is not a CallFailure, because it is a defect in the app
 */
export const failureWords = (error: unknown): FailureWords => wordsOf(error, failureMessages());
