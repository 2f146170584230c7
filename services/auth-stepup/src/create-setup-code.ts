// Creates the code with which the first manager is created in the browser: npm run create-setup-code
import { authStepupSettings } from './config.ts';
import { runCommand } from './run-command.ts';
import { createSetupCode } from './setup/create-setup-code.ts';

const { publicUrl, staffUrl } = authStepupSettings;
await runCommand({
  env: process.env,
  settings: { publicUrl, staffUrl },
  run: (context) => {
    const { config } = context;
    return createSetupCode(context, { staffUrl: config.staffUrl || config.publicUrl, clock: Date.now });
  },
});
