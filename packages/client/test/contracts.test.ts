import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { endpoints } from '@comanda/contracts/registry';

/** The maximum gzipped size of an entry with signals, in bytes, without code that is loaded only for a PIN. */
const maxBytes = { 'client.ts': 16_700, 'index.ts': 20_000 };

describe('with the contracts that the client uses', () => {
  test.each(Object.entries(maxBytes))(
    'the browser bundle of %s is small and contains no validator',
    async (entry, max) => {
      const { outputFiles, metafile } = await build({
        entryPoints: [fileURLToPath(new URL(`../src/${entry}`, import.meta.url))],
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
      const loaded = new Set([`client/${entry.replace('.ts', '.js')}`]);
      for (const file of loaded)
        for (const { path } of metafile.outputs[file]?.imports ?? [])
          if (!path.includes('/request-step-up-token-')) loaded.add(path);
      const bytes = [...loaded].map(
        (path) => gzipSync(outputFiles.find((file) => file.path.endsWith(path))?.contents ?? '').length,
      );
      expect(loaded.size).toBeLessThan(outputFiles.length);
      expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(max);
      expect(Object.keys(metafile.inputs).filter((file) => file.includes('node_modules/joi'))).toEqual([]);
    },
  );

  test.each(endpoints)('no input of $name has a key in two places', (contract) => {
    const body = Object.keys((contract.body?.describe() as { keys?: object } | undefined)?.keys ?? {});
    const keys = [...Object.keys(contract.params ?? {}), ...Object.keys(contract.query ?? {}), ...body];
    expect(keys).toEqual([...new Set(keys)]);
    // All input that is not in the path goes into either the body or the query, so a contract can't have both.
    expect(contract.body && Object.keys(contract.query ?? {}).length > 0).toBeFalsy();
  });
});
