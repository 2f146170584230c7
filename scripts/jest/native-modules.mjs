// Runs a test file with jest-circus, Jest's own runner of tests, but lets Node load its modules. Jest loads them into a
// context of their own for each file: every file then compiles and links joi, mongoose, express, … again, which takes more
// time than most tests do. Here the files of a worker share their modules, as importing a file does nothing; Jest starts
// new workers for each run, so a file that was changed is read again. Coverage is counted in a context, as Jest does it.
import { ModernFakeTimers } from '@jest/fake-timers';
import circus from 'jest-circus/runner';
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const names = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'jest', 'test'];

/** What `@jest/globals` exports, of the file that runs now: a module of many files imports it once. */
const globalsSymbol = Symbol.for('comanda-jest-globals');
const liveGlobals = `
  const current = globalThis[Symbol.for('comanda-jest-globals')];
  const live = (name) => new Proxy(() => undefined, {
    apply: (_target, _this, args) => current[name](...args),
    get: (_target, key) => current[name][key],
  });
  ${names.map((name) => `export const ${name} = live('${name}');`).join('\n')}
`;
const globals = (globalThis[globalsSymbol] ??= {});
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals'
      ? { url: 'jest:globals', format: 'module', shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url === 'jest:globals' ? { format: 'module', source: liveGlobals, shortCircuit: true } : next(url, context),
});

/** Takes what Jest gives a runner of tests. */
export default async function runTestFile(...args) {
  const [globalConfig, config, environment] = args;
  if (globalConfig.collectCoverage) return circus.default(...args);
  delete Error.prepareStackTrace; // Jest's translates by source maps, at each stack that is read: Node's is right without
  const timers = new ModernFakeTimers({ config, global: globalThis });
  const { console } = globalThis;
  globalThis.console = environment.global.console; // prints with the name of the file
  try {
    return await circus.default(...args.with(3, nodeRuntime(environment, { timers, seed: globalConfig.seed })));
  } finally {
    globalThis.console = console;
    timers.dispose();
  }
}

/** What jest-circus asks of Jest's runtime. */
const nodeRuntime = (environment, { timers, seed }) => ({
  requireInternalModule: requireAnew,
  requireModule: require,
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path) => import(pathToFileURL(path)),
  setGlobalsForRuntime: (given) => Object.assign(globals, given, { jest: jestObject(environment, { timers, seed }) }),
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
});

/** jest-circus keeps the tests of a file in its module. */
function requireAnew(path) {
  delete require.cache[path];
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  return require(path);
}

function jestObject({ moduleMocker }, { timers, seed }) {
  const jest = {
    getSeed: () => seed,
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    restoreAllMocks: () => moduleMocker.restoreAllMocks(),
    useFakeTimers: (options) => {
      timers.useFakeTimers(options);
      return jest;
    },
    useRealTimers: () => timers.useRealTimers(),
    setSystemTime: (now) => timers.setSystemTime(now),
    advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
    advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  };
  return jest;
}
