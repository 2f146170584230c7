import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { run } from '@comanda/local-stack/servers/command';
import { binOf, emptyFolder, here, textOf, type Check } from './run.ts';

export const redocly: Check = async (url) => {
  const config = await createConfig({ extends: ['recommended'] });
  const source = await textOf(`${url}/openapi.json`);
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  const report = found.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`).join('\n');
  const errors = found.filter(({ severity }) => severity === 'error').length;
  return { passed: errors === 0, report, other: errors };
};

type Diagnostic = { severity: number; code: string; message: string };
type Parser = new () => { parse: (source: string) => Promise<{ document?: unknown; diagnostics: Diagnostic[] }> };

export const asyncApiParser: Check = async (url, { nodeDir }) => {
  const module = pathToFileURL(join(nodeDir, 'node_modules/@asyncapi/parser/cjs/index.js')).href;
  const { Parser } = (await import(module)) as { Parser: Parser };
  const { document, diagnostics } = await new Parser().parse(await textOf(`${url}/asyncapi.json`));
  // 0: error, 1: warning, 2 and 3: hints
  const found = diagnostics.filter(({ severity }) => severity <= 1);
  const report = found.map(({ code, message }) => `${code}: ${message}`).join('\n');
  return { passed: document !== undefined && found.length === 0, report, other: found.length };
};

/** Spectral's own rules, but for those that `spectral-….yaml` turns off, with the reason. */
export const spectral =
  (document: 'openapi' | 'asyncapi'): Check =>
  async (url, tools) => {
    const source = join(emptyFolder(`spectral-${document}`), `${document}.json`);
    writeFileSync(source, await textOf(`${url}/${document}.json`));
    const ruleset = join(here, `spectral-${document}.yaml`);
    const args = ['lint', source, '--ruleset', ruleset, '--fail-severity', 'warn', '--format', 'text'];
    const { code, output } = await run({ command: binOf(tools, 'spectral'), args });
    const found = output.match(/ (?:error|warning) /g)?.length ?? 0;
    return { passed: code === 0, report: output, other: found };
  };
