import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { endpoints } from '@comanda/contracts/registry';

/** The maximum gzipped size of the client with Socket.IO and signals, in bytes, without code that is loaded only for a PIN. */
const maxBytes = 30_300;

describe('with the contracts that the client uses', () => {
  test('the browser bundle is small and contains no validator', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [fileURLToPath(new URL('../src/client.ts', import.meta.url))],
      bundle: true,
      splitting: true,
      outdir: 'client',
      minify: true,
      format: 'esm',
      platform: 'browser',
      conditions: ['source'],
      metafile: true,
      write: false,
    });
    const bytes = Object.entries(metafile.outputs).map(([path, { inputs }]) => {
      if (Object.keys(inputs).some((file) => file.endsWith('/step-up-rules.ts'))) return 0;
      return gzipSync(outputFiles.find((file) => file.path.endsWith(path))?.contents ?? '').length;
    });
    expect(bytes.filter((size) => size > 0).length).toBeGreaterThan(1);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(maxBytes);
    expect(Object.keys(metafile.inputs).filter((file) => file.includes('node_modules/joi'))).toEqual([]);
  });

  test.each(endpoints)('no input of $name has a key in two places', (contract) => {
    const body = Object.keys((contract.body?.describe() as { keys?: object } | undefined)?.keys ?? {});
    const keys = [...Object.keys(contract.params ?? {}), ...Object.keys(contract.query ?? {}), ...body];
    expect(keys).toEqual([...new Set(keys)]);
    // All input that is not in the path goes into either the body or the query, so a contract can't have both.
    expect(contract.body && Object.keys(contract.query ?? {}).length > 0).toBeFalsy();
  });
});
