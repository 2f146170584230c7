import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BSON, type Db, type Document, type MongoClient } from 'mongodb';
import { root } from '@comanda/local-stack/root';
import type { Secrets } from '@comanda/local-stack/secrets';
import { testSecrets } from '@comanda/testing/test-secrets';

/**
 * The folder with the recorded databases. Each database is a file, in which each line is a document, or a collection with its
 * options and indexes.
 */
const folder = join(root, 'test/last-release');
const names = ['auth', 'orders', 'transfers'] as const;
/** The collection of the instances' heartbeats, which is not recorded, because those processes have ended. */
const left = 'instances';

/** Returns a secret for the recorded databases, which encrypts the keys and PINs in them. Only tests use these secrets. */
const key = (text: string): string => `recorded:${Buffer.from(text.padEnd(32, '.')).toString('base64')}`;
export const recordedSecrets = (): Secrets => ({
  ...testSecrets(),
  authSealingSecret: key('recorded, auth-stepup'),
  transfersSealingSecret: key('recorded, transfers'),
  pinPepper: key('recorded, PINs'),
});

type Line = { collection: string; options: Document; indexes: Document[] } | { document: Document };
const toLine = (line: Line): string => BSON.EJSON.stringify(line, { relaxed: false });
/** Options that make the driver return each value in the type in which it is stored. */
const asStored = { promoteValues: false, promoteLongs: false, promoteBuffers: false } as const;

/** Saves the three databases whose names start with the given prefix to files in this repository. */
export async function recordDatabases(client: MongoClient, database: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const lines = await linesOf(client.db(`${database}_${name}`));
    writeFileSync(join(folder, `${name}.jsonl`), `${lines.join('\n')}\n`);
  }
}

async function linesOf(db: Db): Promise<string[]> {
  const lines: string[] = [];
  const infos = (await db.listCollections().toArray()).filter((info) => info.name !== left);
  for (const { name, options = {} } of infos.toSorted((a, b) => a.name.localeCompare(b.name)) as Document[]) {
    const indexes = await db.collection(name).listIndexes().toArray();
    lines.push(toLine({ collection: name, options, indexes: indexes.filter((index) => index['name'] !== '_id_') }));
    const documents = await db.collection(name).find({}, asStored).sort({ _id: 1 }).toArray();
    lines.push(...documents.map((document) => toLine({ document })));
  }
  return lines;
}

/** Restores the recorded databases, with their validation and indexes, to databases named `<database>_<name>`. */
export async function restoreDatabases(client: MongoClient, database: string): Promise<void> {
  for (const name of names) {
    const db = client.db(`${database}_${name}`);
    let collection = '';
    for (const text of readFileSync(join(folder, `${name}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')) {
      const line = BSON.EJSON.parse(text, { relaxed: false }) as Line;
      if ('document' in line) {
        await db.collection(collection).insertOne(line.document, { bypassDocumentValidation: true });
        continue;
      }
      ({ collection } = line);
      await db.createCollection(collection, line.options);
      if (line.indexes.length > 0) await db.collection(collection).createIndexes(line.indexes as never);
    }
  }
}
