// npm run check: checks format, lint, types, unused code, releases and the build in parallel, with turbo's cache for unchanged
// results. It also checks the charts if their tools are built here, and the wording of commits, changelogs and apps. The exit
// code is 0 only if all checks pass.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from '@comanda/local-stack/root';

const tasks = ['//#format:check', '//#lint', '//#types', '//#unused', '//#compatible', 'build'];

async function run(command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

const codes = await Promise.all([
  run('turbo', ['run', ...tasks, '--continue', ...process.argv.slice(2)]),
  run(process.execPath, ['--conditions=source', 'scripts/chart.ts', '--if-built']),
  run(process.execPath, ['--conditions=source', 'scripts/check-words.ts']),
]);
process.exitCode = Math.max(...codes);
