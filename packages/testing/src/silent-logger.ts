import { createLogger } from '@comanda/shared/runtime/logger';

/** For code under test whose log nobody needs. `TEST_LOG=info` prints it. Harnesses of services use `createTestLogger`. */
export const silentLogger = createLogger({ service: 'test', level: process.env['TEST_LOG'] ?? 'silent' });
