import { createLogger } from '@comanda/shared/runtime/logger';

/**
 * A logger for code whose log messages a test doesn't check. They are printed only with `TEST_LOG=info`. The services' test
 * harnesses use `createTestLogger` instead.
 */
export const silentLogger = createLogger({ service: 'test', level: process.env['TEST_LOG'] ?? 'silent' });
