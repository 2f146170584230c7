// Sets up the demo data in containers; `docker compose up` runs it. Needs GATEWAY_URL, and the settings of auth-stepup to
// create the first manager.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from './root.ts';
import { seedDemo } from './seed.ts';

const gatewayUrl = process.env['GATEWAY_URL'] ?? 'http://localhost:3000';

await seedDemo({
  gatewayUrl,
  log: (line) => console.log(line),
  runServiceCommand: async (service, script, { args, env }) => {
    const command = ['--conditions=source', `services/${service}/${script}`, ...args];
    const { stdout } = await promisify(execFile)(process.execPath, command, {
      cwd: root,
      env: { ...process.env, ...env },
    });
    return stdout;
  },
});
console.log('the demo data is set up');
