import type { Position } from '@comanda/shared/messaging/stream-reader';

/**
 * What a client has seen. `beginning`: nothing, of a stream that was empty; it holds for as long as that notifier has
 * read the stream without a break, since an empty stream cannot be told from another one.
 */
export type Cursor = ({ at: 'event' } & Position) | { at: 'beginning'; epoch: string };

const form = /^(?:(?<offset>0|[1-9]\d{0,14})\.(?<id>[\u0021-\u007e]{0,128})|beginning\.(?<epoch>[0-9a-f-]{1,64}))$/;

/** Opaque to clients. */
export const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(cursor.at === 'event' ? `${cursor.offset}.${cursor.id}` : `beginning.${cursor.epoch}`).toString(
    'base64url',
  );

/** Null where `text` is no cursor. */
export function decodeCursor(text: string): Cursor | null {
  if (text.length > 256 || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
  const found = form.exec(Buffer.from(text, 'base64url').toString())?.groups;
  if (!found) return null;
  const { offset, id = '', epoch = '' } = found;
  return offset === undefined ? { at: 'beginning', epoch } : { at: 'event', offset: Number(offset), id };
}
