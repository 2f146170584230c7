// Sets up the demo data in containers, as part of `docker compose up`. Needs auth-stepup's settings for the first manager,
// GATEWAY_URL, and SIGN_INS_FILE for the demo's passwords. Prints the passwords at each start.
import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describeSignIns, loadDemoSignIns } from './demo-sign-ins.ts';
import { root } from './root.ts';
import { seedDemo } from './seed.ts';
import { isRefusal, refusal } from './servers/refusal.ts';

const gatewayUrl = process.env['GATEWAY_URL'] ?? 'http://localhost:3000';

/** Waits until the gateway is ready. After a restart of the machine, Docker starts all containers at the same time. */
async function untilReady(): Promise<void> {
  const isReady = (): Promise<boolean> =>
    fetch(`${gatewayUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let attempt = 0; attempt < 120; attempt++) {
    if (await isReady()) return;
    await setTimeout(1000);
  }
  throw refusal(`The gateway at ${gatewayUrl} is not ready after two minutes. Its log says why.`);
}

async function seed(): Promise<void> {
  const signIns = loadDemoSignIns(process.env['SIGN_INS_FILE'] ?? 'demo-sign-ins.json');
  await untilReady();
  await seedDemo({
    gatewayUrl,
    signIns,
    log: (line) => console.log(line),
    createManager: async ({ name, email, password }) => {
      const args = ['services/auth-stepup/dist/create-manager.js', '--email', email, '--name', name];
      const env = { ...process.env, MANAGER_PASSWORD: password };
      await promisify(execFile)(process.execPath, args, { cwd: root, env });
    },
  });
  console.log(`the demo data is set up; sign in as\n${describeSignIns(signIns).join('\n')}`);
}

await seed().catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  process.exitCode = 1; // A failed exit makes Docker restart the container.
});
