// npm run check: format, lint, types, unused code, releases and the build, in parallel. Unchanged results come from turbo's
// cache. The exit code is 0 only if all of them pass.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from '@comanda/local-stack/root';

const tasks = ['//#format:check', '//#lint', '//#types', '//#unused', '//#compatible', 'build'];

const turbo = spawn('turbo', ['run', ...tasks, '--continue', ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  stdio: 'inherit',
});
const [code] = (await once(turbo, 'exit')) as [number | null];
process.exitCode = code ?? 1;
