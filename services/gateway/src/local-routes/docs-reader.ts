import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { StaticFile } from './static-file.ts';

const worker = new URL(`./docs-reader-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * Reads and compresses the script that shows the API reference at `/docs`. The script is 4 MB in size, and compressing it takes
 * half a second of CPU time. So a worker does this, and its memory is freed afterwards.
 */
export async function readDocsReader(): Promise<StaticFile> {
  const [file] = (await once(new Worker(worker), 'message')) as [StaticFile];
  return file;
}
