// Measures how long `npm start` takes in a fresh clone of HEAD on its own ports. The first start installs packages (from npm's
// cache if possible). Later starts are measured separately.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '@comanda/local-stack/root';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { limit } from './support.ts';

const away = mkdtempSync(join(tmpdir(), 'start-up-'));
const clone = join(away, 'comanda');
const limitMs = 600_000;

async function startAndStop(): Promise<number> {
  const started = performance.now();
  const env = { ...process.env, GATEWAY_PORT: String(await freePort()), NOTIFIER_PORT: String(await freePort()) };
  const starter = spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  const ended = once(starter, 'exit');
  let running = true;
  void ended.then(() => (running = false));
  while (!existsSync(join(clone, '.comanda/run.json'))) {
    if (!running) throw new Error('npm start ended before it was ready');
    if (performance.now() - started > limitMs) throw new Error('npm start was not ready in 10 minutes');
    await pause(20);
  }
  const tookS = (performance.now() - started) / 1000;
  if (starter.pid !== undefined) process.kill(-starter.pid, 'SIGINT'); // Ctrl-C in a terminal signals the whole group too
  await ended;
  return tookS;
}

try {
  execFileSync('git', ['clone', '--quiet', root, clone]);
  await limit({
    name: 'start-up-first',
    what: '`npm start` in a fresh clone',
    unit: 's',
    ours: startAndStop,
    atMost: 45,
    rounds: 1,
  });
  await limit({
    name: 'start-up-again',
    what: '`npm start`, after the first time',
    unit: 's',
    ours: startAndStop,
    atMost: 6,
  });
} finally {
  rmSync(away, { recursive: true, force: true });
}
