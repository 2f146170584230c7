import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@comanda/local-stack/root';
import { emptyFolder, programs, runInSequence, type Check } from './run.ts';

export const grafanaSdkVersion = 'v0.0.22';
const goModule = `module comanda.test/check-dashboard

go 1.24

require github.com/grafana/grafana-foundation-sdk/go ${grafanaSdkVersion}
`;

/** Grafana's own types read deploy/monitoring/dashboard.json, with the options of each panel. */
export const dashboard: Check = async () => {
  const folder = emptyFolder('dashboard');
  writeFileSync(join(folder, 'go.mod'), goModule);
  copyFileSync(join(programs, 'check-dashboard.go'), join(folder, 'main.go'));
  return runInSequence([
    ['go', '-C', folder, 'mod', 'tidy'],
    ['go', '-C', folder, 'run', '.', join(root, 'deploy/monitoring/dashboard.json')],
  ]);
};
