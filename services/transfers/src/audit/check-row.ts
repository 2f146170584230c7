import { type Account, toAccountStatement } from '../accounts/account.ts';
import { statementDefects } from '../receipts/statement-defects.ts';
import type { PublicKeys } from '@comanda/shared/crypto/statement';
import { consentDefects } from '../transfers/check-consent.ts';
import type { DecidedRow } from '../transfers/journal-row.ts';
import { toRow, type ExpiredDocument, type JournalDocument } from '../transfers/journal-document.ts';
import { toExpiry } from '../transfers/refusal.ts';
import { rowDefects } from '../transfers/verify-row.ts';
import type { RawDocument } from './ledger-reader-store.ts';
import { isOfNewerRelease, ofNewerRelease, shapeDefects } from './shape.ts';
import { rowShapes } from './stored-shapes.ts';

/** `consentKeys`: the keys with which auth-stepup signs authorizations. Null: authorizations are not verified. */
type Keys = { keys: PublicKeys; consentKeys: PublicKeys | null };

/** Returns a journal row's defects. If the row has the wrong shape, its content is not checked. */
export function checkRow(document: RawDocument, { keys, consentKeys }: Keys): string[] {
  const shape = rowShapes.get(document['status']);
  if (!shape) return isOfNewerRelease(document) ? [ofNewerRelease] : ['it has an unknown status'];
  const defects = shapeDefects(document, shape);
  if (defects.length > 0) return defects;
  const row = toRow(document as unknown as JournalDocument);
  if (row.status !== 'expired')
    return [...lostIdempotency(document), ...rowDefects(row, keys), ...postedConsentDefects(row, consentKeys)];
  const { statement, created_at: createdAt } = document as unknown as ExpiredDocument;
  return [
    ...(document['_id'] === `expired ${row.jti}` ? [] : ['its id is not that of its token']),
    ...statementDefects(statement, { typ: 'expiry+jws', facts: toExpiry(row.jti, createdAt), keys }),
  ];
}

/** Returns the defects in a row's authorization. `checkChain` checks whether the row must have one. */
const postedConsentDefects = (row: DecidedRow, consentKeys: PublicKeys | null): string[] =>
  consentKeys && row.status === 'posted' && row.consent !== null ? consentDefects(row.consent, row, consentKeys) : [];

/** Returns a defect if the row has only an idempotency key or only a fingerprint: it would be read as having neither. */
const lostIdempotency = (document: RawDocument): string[] =>
  'idempotency_key' in document === 'request_fingerprint' in document
    ? []
    : ['only one of its idempotency_key and request_fingerprint is there'];

/** Returns the differences between the account's immutable facts and its signed statement. */
export const checkOpening = (account: Account, statement: string, keys: PublicKeys): string[] =>
  statementDefects(statement, { typ: 'account+jws', facts: toAccountStatement(account), keys });
