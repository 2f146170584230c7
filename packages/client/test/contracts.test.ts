import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { endpoints } from '@comanda/contracts/registry';

/** The maximum gzipped size of the client with Socket.IO, in bytes. */
const maxBytes = 28_300;

describe('client and contracts', () => {
  test('the browser bundle is small and contains no validator', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [fileURLToPath(new URL('../src/client.ts', import.meta.url))],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      conditions: ['source'],
      metafile: true,
      write: false,
    });
    expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThanOrEqual(maxBytes);
    expect(Object.keys(metafile.inputs).filter((file) => file.includes('node_modules/joi'))).toEqual([]);
  });

  test.each(endpoints)('no input of $name has a key in two places', (contract) => {
    const body = Object.keys((contract.body?.describe() as { keys?: object } | undefined)?.keys ?? {});
    const keys = [...Object.keys(contract.params ?? {}), ...Object.keys(contract.query ?? {}), ...body];
    expect(keys).toEqual([...new Set(keys)]);
    // Input outside the path goes into either the body or the query.
    expect(contract.body && Object.keys(contract.query ?? {}).length > 0).toBeFalsy();
  });
});
