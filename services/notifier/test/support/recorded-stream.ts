import type { FeedMessage } from '@comanda/shared/messaging/read-stream';
import { createTestLogger } from '@comanda/testing/test-logger';
import { until } from '@comanda/testing/until';
import { followStream, type StreamChange, type StreamState } from '../../src/stream/follow-stream.ts';

/** Follows a stream and records its events and states. Drops the messages from before a gap. */
export function recordStream(options: { url: string; history: number; maxSilenceMs?: number }) {
  const record = { messages: [] as FeedMessage[], states: [] as StreamState[], gaps: 0, warnings: [] as string[] };
  const logger = createTestLogger('test', { level: 'warn', onLine: (line) => record.warnings.push(line) });
  function add(change: StreamChange): void {
    if (change.kind === 'messages') record.messages.push(...change.messages);
    else if (change.kind === 'state') record.states.push(change.state);
    else {
      record.gaps++;
      record.messages.length = 0;
    }
  }
  const reader = followStream({ maxSilenceMs: 15_000, ...options, logger, changes: { add } });
  const state = (): StreamState => record.states.at(-1) ?? 'lost';
  return {
    record,
    state,
    untilLive: () => until(() => state() === 'live', { what: 'the reader to be live' }),
    close: reader.close,
  };
}
