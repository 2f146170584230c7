// Jest's Node environment, with three additions: it ends a test file that hangs; it fails a file that leaves something
// open that keeps its process alive (a server, a socket, a timer, a child process); and it prints with a failed test what
// the services under test logged meanwhile. Jest by itself waits forever for the first, and kills the process of the
// second without a word and counts the file as passed.
import NodeEnvironment from 'jest-environment-node';
import { url as debuggerUrl } from 'node:inspector';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const closingMs = 3_000;
/** What this process ran before: what a file has left for later shows up in the next one. */
const ranBefore = [];
/** Whether a test has failed in this process: it may go on after its time limit, which no other file is blamed for. */
let anyFailed = false;

export default class WatchedEnvironment extends NodeEnvironment {
  /** One for all files of this process: to start a thread for each took more time than many files. */
  static #watchdog;
  static #beat = new Int32Array(new SharedArrayBuffer(4));
  #openBefore = openResources();
  #heart;
  #testPath;
  #limits;

  constructor(config, context) {
    super(config, context);
    delete globalThis.comandaLogSources; // those of the file before
    this.#testPath = context.testPath;
    globalThis.comandaTestFile = context.testPath; // for packages/testing/src/reused-databases.ts
    const { blockedMs = 30_000, silentMs = 300_000 } = config.projectConfig.testEnvironmentOptions;
    this.#limits = { blockedMs, silentMs };
  }

  async setup() {
    await super.setup();
    if (debuggerUrl() !== undefined) return; // at a breakpoint nothing happens for as long as a person looks
    const beat = WatchedEnvironment.#beat;
    this.#heart = setInterval(() => Atomics.add(beat, 0, 1), 250).unref();
    if (!WatchedEnvironment.#watchdog) {
      const options = { workerData: { beat }, execArgv: [], stdin: false };
      WatchedEnvironment.#watchdog = new Worker(new URL('./watchdog.mjs', import.meta.url), options);
      WatchedEnvironment.#watchdog.unref();
    }
    this.#tellWatchdog({ watched: { testPath: this.#testPath, ...this.#limits } });
  }

  handleTestEvent(event) {
    if (event.name === 'hook_failure' || event.name === 'test_fn_failure') anyFailed = true;
    if (event.name === 'hook_start') this.#reportProgress(`${event.hook.type} in ${event.hook.parent.name}`);
    else if (event.name === 'test_fn_start') this.#reportProgress(nameOf(event.test));
    else if (event.name === 'test_done') {
      this.#reportProgress(`after ${nameOf(event.test)}`);
      this.#addLogs(event.test);
    }
  }

  /** Adds the log lines since the previous test to the errors of a test that failed. See packages/testing/src/log-collector.ts. */
  #addLogs(test) {
    const sources = [...(this.global.comandaLogSources ?? globalThis.comandaLogSources ?? [])];
    const logs = sources.map(({ name, takeLines }) => ({ name, lines: takeLines() }));
    const text = logs
      .filter(({ lines }) => lines.length > 0)
      .map(({ name, lines }) => `${name} logged:\n${lines.map((line) => `  ${line.trimEnd()}`).join('\n')}`)
      .join('\n');
    if (test.errors.length === 0 || text === '') return;
    const error = new Error(text);
    error.stack = text; // where this line of code is tells nothing about the test
    test.errors.push([error, error]);
  }

  #reportProgress(progress) {
    this.#tellWatchdog({ progress });
  }

  #tellWatchdog(message) {
    WatchedEnvironment.#watchdog?.postMessage(message);
  }

  async teardown() {
    this.#tellWatchdog({ watched: null });
    clearInterval(this.#heart);
    await super.teardown();
    const deadline = Date.now() + closingMs;
    let open = this.#leftOpen();
    while (open.length > 0 && Date.now() < deadline) {
      await delay(20, undefined, { ref: false });
      open = this.#leftOpen();
    }
    const before = ranBefore.slice(-3).join(', ');
    ranBefore.push(this.#testPath);
    // A test that failed may have closed nothing; Jest would print this instead of the failure.
    if (open.length > 0 && !anyFailed)
      throw new Error(
        `${this.#testPath} left open: ${open.join(', ')} (${describeHandles()}). Close in afterAll what the tests opened. ` +
          `Before it, this process ran ${before || 'nothing'}.`,
      );
  }

  #leftOpen() {
    const now = openResources();
    // A pipe without a child process is this process's own output, opened by the first test that prints.
    const children = (now.get('ProcessWrap') ?? 0) > (this.#openBefore.get('ProcessWrap') ?? 0);
    return [...now.keys()]
      .filter((type) => type !== 'PipeWrap' || children)
      .map((type) => ({ type, more: now.get(type) - (this.#openBefore.get(type) ?? 0) }))
      .filter(({ more }) => more > 0)
      .map(({ type, more }) => `${more} ${type}`);
  }
}

function nameOf(test) {
  return test.parent && test.parent.name !== 'ROOT_DESCRIBE_BLOCK'
    ? `${nameOf(test.parent)} › ${test.name}`
    : test.name;
}

/** How many of each kind keep this process alive. */
function openResources() {
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** The sockets and child processes that keep this process alive, for whoever looks for what was left open. */
const describeHandles = () =>
  process
    // oxlint-disable-next-line eslint/no-underscore-dangle -- Node has no other way to ask what they are
    ._getActiveHandles()
    .map(({ spawnargs, localPort, remotePort }) => {
      if (spawnargs) return spawnargs.join(' ').slice(0, 200);
      return remotePort === undefined ? null : `socket ${localPort} to ${remotePort}`;
    })
    .filter((text) => text !== null)
    .join('; ');
