import { createLogger } from '@comanda/shared/runtime/logger';

/**
 * A logger for tested code whose log is not needed. `TEST_LOG=info` prints the log. Services' harnesses use `createTestLogger`.
 */
export const silentLogger = createLogger({ service: 'test', level: process.env['TEST_LOG'] ?? 'silent' });
