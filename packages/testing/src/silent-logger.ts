import { createLogger } from '@comanda/shared/runtime/logger';

/**
 * A logger for code whose log a test doesn't need. `TEST_LOG=info` prints the log. Services' harnesses use `createTestLogger`
 * instead.
 */
export const silentLogger = createLogger({ service: 'test', level: process.env['TEST_LOG'] ?? 'silent' });
