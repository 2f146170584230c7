import { writeFileSync } from 'node:fs';

/**
 * Writes the results to the file COMANDA_RESULTS_FILE when the last test has ended. Jest itself writes its `--outputFile`
 * only after the global teardown, which may hang.
 */
export default class ResultsReporter {
  onRunComplete(_contexts, results) {
    const { COMANDA_RESULTS_FILE: path } = process.env;
    if (!path) return;
    const files = results.testResults.map(({ testFilePath, testExecError, numFailingTests, testResults }) => ({
      path: testFilePath,
      failed: Boolean(testExecError) || numFailingTests > 0,
      tests: testResults.map(({ status }) => status),
    }));
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = results;
    const counts = {
      passed: numPassedTests,
      failed: numFailedTests + numRuntimeErrorTestSuites,
      skipped: numPendingTests + numTodoTests,
    };
    writeFileSync(path, JSON.stringify({ counts, files }));
  }
}
