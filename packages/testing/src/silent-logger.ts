import { createLogger } from '@comanda/shared/runtime/logger';

/** For tests that look at what is done, not at what is said. `TEST_LOG=info` lets it speak. */
export const silentLogger = createLogger({ service: 'test', level: process.env['TEST_LOG'] ?? 'silent' });
