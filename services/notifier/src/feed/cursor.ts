import type { Position } from '@comanda/shared/messaging/read-stream';

/**
 * A client's position in the stream. `beginning`: the stream was empty, so there is no event yet. That position is valid only
 * while this notifier reads the stream without a gap, because all empty streams look the same.
 */
export type Cursor = ({ kind: 'event' } & Position) | { kind: 'beginning'; epoch: string };

const form = /^(?:(?<offset>0|[1-9]\d{0,14})\.(?<id>[\u0021-\u007e]{0,128})|beginning\.(?<epoch>[0-9a-f-]{1,64}))$/;

/** Encodes a cursor as a string that is opaque to clients. */
export const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(cursor.kind === 'event' ? `${cursor.offset}.${cursor.id}` : `beginning.${cursor.epoch}`).toString(
    'base64url',
  );

/** Decodes a cursor. Returns null if `text` is not a cursor. */
export function decodeCursor(text: string): Cursor | null {
  if (text.length > 256 || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
  const groups = form.exec(Buffer.from(text, 'base64url').toString())?.groups;
  if (!groups) return null;
  const { offset, id = '', epoch = '' } = groups;
  return offset === undefined ? { kind: 'beginning', epoch } : { kind: 'event', offset: Number(offset), id };
}
