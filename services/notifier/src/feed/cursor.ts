import type { Position } from '@comanda/shared/messaging/stream-reader';

/**
 * The newest event that a client has seen. `beginning`: none, of a stream that was empty. That one is valid for as long
 * as this notifier reads the stream without a gap, because one empty stream looks like any other.
 */
export type Cursor = ({ kind: 'event' } & Position) | { kind: 'beginning'; epoch: string };

const form = /^(?:(?<offset>0|[1-9]\d{0,14})\.(?<id>[\u0021-\u007e]{0,128})|beginning\.(?<epoch>[0-9a-f-]{1,64}))$/;

/** Opaque to clients. */
export const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(cursor.kind === 'event' ? `${cursor.offset}.${cursor.id}` : `beginning.${cursor.epoch}`).toString(
    'base64url',
  );

/** Returns null if `text` is not a cursor. */
export function decodeCursor(text: string): Cursor | null {
  if (text.length > 256 || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
  const groups = form.exec(Buffer.from(text, 'base64url').toString())?.groups;
  if (!groups) return null;
  const { offset, id = '', epoch = '' } = groups;
  return offset === undefined ? { kind: 'beginning', epoch } : { kind: 'event', offset: Number(offset), id };
}
