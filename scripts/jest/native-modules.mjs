// Runs a test file with jest-circus, Jest's own test runner, but lets Node load the file's modules. Jest would load them into a
// separate context for each file. Then every file would compile and link joi, mongoose, express, … again, which takes more time
// than most tests. Here, the files in a worker share their modules, because importing a file has no effects. Jest starts new
// workers for each run, so a changed file is read again. With coverage, files run in separate contexts as usual, because Jest
// counts coverage in a context.
import { ModernFakeTimers } from '@jest/fake-timers';
import circus from 'jest-circus/runner';
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const names = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'jest', 'test'];

/**
 * The key under which the running file's exports of `@jest/globals` are stored. Files that share a module need this, because the
 * module imports `@jest/globals` only once.
 */
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

/** Runs a test file with the arguments that Jest passes to a test runner. */
export default async function runTestFile(...args) {
  const [globalConfig, config, environment] = args;
  if (globalConfig.collectCoverage) return circus.default(...args);
  delete Error.prepareStackTrace; // Jest's function applies source maps, but Node runs the sources without any
  const timers = new ModernFakeTimers({ config, global: globalThis });
  const { console } = globalThis;
  globalThis.console = environment.global.console; // prints each line with the file's name
  try {
    return await circus.default(...args.with(3, nodeRuntime(environment, { timers, seed: globalConfig.seed })));
  } finally {
    globalThis.console = console;
    timers.dispose();
  }
}

/** Provides what jest-circus needs from Jest's runtime. */
const nodeRuntime = (environment, { timers, seed }) => ({
  requireInternalModule: requireAnew,
  requireModule: require,
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path) => import(pathToFileURL(path)),
  setGlobalsForRuntime: (given) => Object.assign(globals, given, { jest: jestObject(environment, { timers, seed }) }),
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
});

/** Loads jest-circus again for each file, because its module stores the file's tests. */
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
