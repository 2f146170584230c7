// Jest's Node environment, with two additions: a failed test prints what the services under test logged in the meantime,
// and a file whose process ends counts as failed.
import NodeEnvironment from 'jest-environment-node';

// Jest silently restarts a file up to three times if its process ended with an exit code, but not if a signal ended the
// process. Only a worker has a channel to Jest.
if (process.send)
  process.once('exit', (code) => {
    if (code !== 0) process.kill(process.pid, 'SIGKILL');
  });

export default class LoggingEnvironment extends NodeEnvironment {
  constructor(config, context) {
    super(config, context);
    delete globalThis.comandaLogSources; // the log sources of the previous test file
    globalThis.comandaTestFile = context.testPath; // for packages/testing/src/reused-databases.ts
  }

  /** Adds the log lines since the previous test to a failed test's errors. See packages/testing/src/log-collector.ts. */
  handleTestEvent({ name, test }) {
    if (name !== 'test_done') return;
    const sources = [...(this.global.comandaLogSources ?? globalThis.comandaLogSources ?? [])];
    const logs = sources.map((source) => ({ name: source.name, lines: source.takeLines() }));
    const text = logs
      .filter(({ lines }) => lines.length > 0)
      .map((log) => `${log.name} logged:\n${log.lines.map((line) => `  ${line.trimEnd()}`).join('\n')}`)
      .join('\n');
    if (test.errors.length === 0 || text === '') return;
    const error = new Error(text);
    error.stack = text; // the stack would show only this file, which says nothing about the test
    test.errors.push([error, error]);
  }
}
