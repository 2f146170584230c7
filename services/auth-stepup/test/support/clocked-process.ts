// auth-stepup as a process whose time is what the file CLOCK_FILE says, for tests that move time and kill processes.
import { readFileSync } from 'node:fs';
import { loadConfig } from '@comanda/shared/config/load-config';
import { createLogger } from '@comanda/shared/runtime/logger';
import { authStepupSettings } from '../../src/config.ts';
import { startAuthStepup } from '../../src/service.ts';

const { CLOCK_FILE = '', ...env } = process.env;
const clock = (): number => Number(readFileSync(CLOCK_FILE, 'utf8'));
await startAuthStepup(
  loadConfig(authStepupSettings, env),
  createLogger({ service: 'auth-stepup', level: 'warn' }),
  clock,
);
