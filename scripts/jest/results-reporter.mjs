import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const shownLines = 12;

/** Writes each file's results to COMANDA_RESULTS_FILE. Jest's own `--outputFile` is not written after `--bail`. */
export default class ResultsReporter {
  #seed;

  constructor({ seed }) {
    this.#seed = seed;
  }

  onRunComplete(_contexts, { testResults }) {
    const { COMANDA_RESULTS_FILE: path } = process.env;
    if (!path) return;
    const files = testResults.map((file) => [relative(process.cwd(), file.testFilePath), resultsOf(file)]);
    writeFileSync(path, JSON.stringify({ seed: this.#seed, files: Object.fromEntries(files) }));
  }
}

const resultsOf = (file) => ({
  passed: file.numPassingTests,
  failed: file.numFailingTests + (file.testExecError ? 1 : 0),
  skipped: file.numPendingTests + file.numTodoTests,
  failures: failuresOf(file),
});

/** Returns a file's failed tests and the start of their messages, or the file itself if it could not run. */
function failuresOf({ testFilePath, testResults, failureMessage }) {
  const failed = testResults.filter(({ status }) => status === 'failed');
  const file = relative(process.cwd(), testFilePath);
  if (failed.length === 0 && failureMessage) return [{ test: file, message: shortened(failureMessage) }];
  return failed.map(({ fullName, failureMessages }) => ({
    test: `${file} › ${fullName}`,
    message: shortened(failureMessages[0] ?? ''),
  }));
}

/** Returns a message without Jest's headings and without the lines that show where it failed. */
const shortened = (message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+(?:at|●) /.test(line))
    .slice(0, shownLines)
    .join('\n');
