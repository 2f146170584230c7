import { isDeepStrictEqual } from 'node:util';
import { readStatement, type PublicKeys, type StatementType } from '@comanda/shared/crypto/statement';

type Signed = { typ: StatementType; facts: Record<string, unknown>; keys: PublicKeys };

/**
 * Returns the differences between `facts` and the signed `statement`. Empty if they match and one of `keys` has signed the
 * statement.
 */
export function statementDefects(statement: string, { typ, facts, keys }: Signed): string[] {
  const name = typ === 'receipt+jws' ? 'receipt' : 'statement';
  const signed = readStatement(statement, typ, keys);
  if (!signed) return [`its ${name} is not signed by a trusted key`];
  return Object.keys({ ...signed, ...facts })
    .filter((field) => !isDeepStrictEqual(signed[field], facts[field]))
    .map((field) => `its ${field} is not that of its ${name}`);
}
