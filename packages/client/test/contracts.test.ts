import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { endpoints } from '@comanda/contracts/registry';

/** The largest that a page must load for the client and its socket, in bytes, gzipped. */
const largest = 25 * 1024;

describe('the client and the contracts', () => {
  test('when the client is bundled with its socket for a browser, then it is small, and no validator is in it', async () => {
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
    expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThanOrEqual(largest);
    expect(Object.keys(metafile.inputs).filter((file) => file.includes('node_modules/joi'))).toEqual([]);
  });

  test.each(endpoints)(
    'when $name is called with one object, then none of its keys could mean two things',
    (contract) => {
      const body = Object.keys((contract.body?.describe() as { keys?: object } | undefined)?.keys ?? {});
      const keys = [...Object.keys(contract.params ?? {}), ...Object.keys(contract.query ?? {}), ...body];
      expect(keys).toEqual([...new Set(keys)]);
      // What is not in the path goes into the one or the other.
      expect(contract.body && Object.keys(contract.query ?? {}).length > 0).toBeFalsy();
    },
  );
});
