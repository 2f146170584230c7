import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

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
    writeFileSync(path, JSON.stringify({ counts, durations: Object.fromEntries(durations) }));
  }
}
