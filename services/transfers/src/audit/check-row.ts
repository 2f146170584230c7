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

/** `consentKeys`: those of auth-stepup; null if consents are not verified. */
type Keys = { keys: PublicKeys; consentKeys: PublicKeys | null };

/** The defects of one row of the journal. A row of another shape than it was written in is not looked at further. */
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

/** Whether a row must have a consent, the checkpoints say. */
const postedConsentDefects = (row: DecidedRow, consentKeys: PublicKeys | null): string[] =>
  consentKeys && row.status === 'posted' && row.consent !== null ? consentDefects(row.consent, row, consentKeys) : [];

/** A key without a fingerprint, or a fingerprint without a key, is read as none. */
const lostIdempotency = (document: RawDocument): string[] =>
  'idempotency_key' in document === 'request_fingerprint' in document
    ? []
    : ['only one of its idempotency_key and request_fingerprint is there'];

/** What never changes about an account is as it was signed when the account was opened. */
export const checkOpening = (account: Account, statement: string, keys: PublicKeys): string[] =>
  statementDefects(statement, { typ: 'account+jws', facts: toAccountStatement(account), keys });
