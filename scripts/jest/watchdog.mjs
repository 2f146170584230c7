// Runs in a thread of its own beside the tests of a process, so that it can speak and act while they block their thread.
// Ends the process when its event loop stands still during one test or hook (an endless loop), or when for too long nothing
// begins or ends in the file (each test and hook has a time limit of its own, so that is code outside of them), and says
// what ran. Time is counted in its own ticks, because a machine that sleeps or is overloaded stops both threads.
import { appendFileSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

const { beat } = workerData;
const tickMs = 250;
const outputReadMs = 1_000; // Jest reads no more of what a process has written once it has ended
/** The file that runs, with its limits. */
let watched = null;
let progress;
let lastBeat = 0;
let ticks = { sinceBeat: 0, sinceEvent: 0 };

parentPort.on('message', (message) => {
  if ('watched' in message) watched = message.watched;
  progress = message.progress ?? 'loading the file';
  ticks = { sinceBeat: 0, sinceEvent: 0 };
});

const timer = setInterval(() => {
  if (!watched) return;
  const { blockedMs, silentMs } = watched;
  const count = Atomics.load(beat, 0);
  ticks = { sinceBeat: count === lastBeat ? ticks.sinceBeat + 1 : 0, sinceEvent: ticks.sinceEvent + 1 };
  lastBeat = count;
  if (ticks.sinceBeat * tickMs > blockedMs) end(`blocked the event loop for ${blockedMs / 1_000} s (an endless loop?)`);
  if (ticks.sinceEvent * tickMs > silentMs) end(`did nothing for ${silentMs / 1_000} s (waits for what never comes?)`);
}, tickMs);

function end(why) {
  clearInterval(timer);
  const line = `HUNG: ${watched.testPath} › ${progress}: ${why}; its process is ended\n`;
  writeSync(2, `\n${line}`);
  // Jest drops what the successor of a process that was ended writes: whoever started Jest reads it here.
  if (process.env.COMANDA_HUNG_FILE) appendFileSync(process.env.COMANDA_HUNG_FILE, line);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), outputReadMs);
}
