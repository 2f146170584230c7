import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { StaticFile } from './static-file.ts';

const worker = new URL(`./docs-reader-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * Reads and compresses the script of the reader at `/docs`. It has 4 MB, which takes half a second of CPU, so a worker does it
 * and frees the memory afterwards.
 */
export async function readDocsReader(): Promise<StaticFile> {
  const [file] = (await once(new Worker(worker), 'message')) as [StaticFile];
  return file;
}
