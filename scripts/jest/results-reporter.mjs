import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const shownLines = 12;

/**
 * Writes the results to the file COMANDA_RESULTS_FILE when the last test has ended. Jest itself writes its `--outputFile`
 * only after the global teardown, which may hang.
 */
export default class ResultsReporter {
  onRunComplete(_contexts, results) {
    const { COMANDA_RESULTS_FILE: path } = process.env;
    if (!path) return;
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = results;
    const counts = {
      passed: numPassedTests,
      failed: numFailedTests + numRuntimeErrorTestSuites,
      skipped: numPendingTests + numTodoTests,
    };
    const durations = results.testResults.map(({ testFilePath, perfStats }) => [
      relative(process.cwd(), testFilePath),
      perfStats.runtime,
    ]);
    const failures = results.testResults.flatMap(failuresOf);
    writeFileSync(path, JSON.stringify({ counts, durations: Object.fromEntries(durations), failures }));
  }
}

/** Which tests of a file failed, and how their messages begin; the file itself, if it could not run. */
function failuresOf({ testFilePath, testResults, failureMessage }) {
  const failed = testResults.filter(({ status }) => status === 'failed');
  const file = relative(process.cwd(), testFilePath);
  if (failed.length === 0 && failureMessage) return [{ test: file, message: shortened(failureMessage) }];
  return failed.map(({ fullName, failureMessages }) => ({
    test: `${file} › ${fullName}`,
    message: shortened(failureMessages[0] ?? ''),
  }));
}

/** Without the lines that say where. */
const shortened = (message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
    .slice(0, shownLines)
    .join('\n');
