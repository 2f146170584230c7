// Sets up the demonstration in a house of containers: `docker compose up` runs it once. GATEWAY_URL says where the house
// is; the settings of auth-stepup are needed beside it, for the first manager.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from './root.ts';
import { seedDemoHouse } from './seed.ts';

const gatewayUrl = process.env['GATEWAY_URL'] ?? 'http://localhost:3000';

await seedDemoHouse({
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
console.log('the demonstration is set up');
