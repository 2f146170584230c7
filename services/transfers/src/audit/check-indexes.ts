import { isDeepStrictEqual } from 'node:util';
import { rulesOf } from '@comanda/shared/mongo/collections';
import { accountSchema } from '../accounts/account-document.ts';
import { checkpointSchema } from '../checkpoints/checkpoint-document.ts';
import { counterSchema } from '../ids/id-store.ts';
import { transfersPreparation } from '../preparation.ts';
import { signingKeySchema } from '../receipts/signing-key-store.ts';
import { journalSchema } from '../transfers/journal-document.ts';
import { collectionRow, counterRow, indexRow, rulesRow, transferRow, type Finding } from './finding.ts';
import type { FoundIndex, LedgerReader } from './ledger-reader-store.ts';
import { ofNewerRelease } from './shape.ts';

/** The index on events that wait to be published. It protects nothing, and the next start creates it again if it is missing. */
const outboxIndex = 'outbox.time';
/** The schemas of the ledger's collections. Instances' heartbeats are not part of the ledger. */
const schemas = {
  transfers: journalSchema,
  accounts: accountSchema,
  checkpoints: checkpointSchema,
  keys: signingKeySchema,
  counters: counterSchema,
} as const;
type Name = keyof typeof schemas;

/** Returns the indexes in a collection's schema, without their names. */
const wantedIndexes = (name: Name): FoundIndex[] =>
  schemas[name]
    .indexes()
    .map(([key, { name: _name, ...options }]) => ({ key, ...options }) as FoundIndex)
    .filter(({ key }) => !(outboxIndex in key));

/** Finds collections that were dropped or replaced by a view. */
export async function findWrongCollections(reader: LedgerReader): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const name of Object.keys(schemas)) {
    const { type } = await reader.findCollection(name);
    if (type !== 'collection')
      found.push({ row: collectionRow(name), what: type === null ? 'it does not exist' : `it is a ${type}` });
  }
  return found;
}

/**
 * Finds missing, changed and additional indexes, duplicate rows that a missing unique index let in, and collections with changed
 * validation rules or options. Skips names that are not collections.
 */
export async function* checkIndexes(reader: LedgerReader): AsyncGenerator<Finding> {
  // A newer release may have other rules and more indexes, which this release does not know. An attacker gains nothing by faking
  // a newer release: a ledger that can't be verified is never reported as intact.
  const hasNewer = (await reader.findNewerRelease(transfersPreparation.version)) !== null;
  for (const name of Object.keys(schemas) as Name[]) {
    if ((await reader.findCollection(name)).type !== 'collection') continue;
    yield* checkRules(reader, name, hasNewer ? ofNewerRelease : 'they are not as they were created');
    yield* checkIndexesOf(reader, name, hasNewer ? ofNewerRelease : 'it is not an index of this service');
  }
}

async function* checkRules(reader: LedgerReader, name: Name, what: string): AsyncGenerator<Finding> {
  const { validationAction = 'error', ...options } = (await reader.findCollection(name)).options;
  if (validationAction !== 'error' || !isDeepStrictEqual(options, rulesOf(schemas[name])))
    yield { row: rulesRow(name), what };
}

async function* checkIndexesOf(reader: LedgerReader, name: Name, surplus: string): AsyncGenerator<Finding> {
  const found = await reader.findIndexes(name);
  const rowOf = ({ key }: Pick<FoundIndex, 'key'>): string => indexRow(`${name} (${Object.keys(key).join(', ')})`);
  const wanted = wantedIndexes(name);
  for (const index of wanted) {
    if (found.some((each) => isDeepStrictEqual(each, index))) continue;
    yield { row: rowOf(index), what: 'it is missing or not as it was created' };
    const names = Object.keys(index.key);
    if (index.unique && name === 'transfers' && !names.some((each) => each.includes('.')))
      for await (const id of reader.findDuplicates(names))
        yield { row: transferRow(id), what: `another row has the same ${names.join(' and ')}` };
  }
  for (const index of found)
    if (!(outboxIndex in index.key) && !wanted.some((each) => isDeepStrictEqual(each.key, index.key)))
      yield { row: rowOf(index), what: surplus };
}

/** Finds id counters that are too low, so that they would assign an id twice. */
export async function* checkCounters(reader: LedgerReader): AsyncGenerator<Finding> {
  for (const [name, counter] of [
    ['transfers', 'transfer'],
    ['accounts', 'account'],
  ] as const) {
    const { highest, counted } = await reader.getIds(name, counter);
    if (highest > 0 && !(typeof counted === 'number' && counted >= highest))
      yield { row: counterRow(counter), what: `it is not at least ${highest}, the highest id that was given` };
  }
}
