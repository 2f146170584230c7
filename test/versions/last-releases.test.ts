import { expect, test } from '@jest/globals';
import { areAllInstalled } from './last-releases.ts';

type Packages = Record<string, { integrity?: string; dev?: boolean; link?: boolean }>;
const lock = (packages: Packages): string => JSON.stringify({ packages });
const release = {
  'services/orders': {},
  'node_modules/@comanda/shared': { link: true },
  'node_modules/joi': { integrity: 'joi 1' },
  'node_modules/joi/node_modules/hoek': { integrity: 'hoek 1' },
  'node_modules/jest': { integrity: 'jest 1', dev: true },
};

test.each<[string, boolean, Packages]>([
  ['the same packages', true, {}],
  [
    'another package, with a dependency of its own',
    true,
    {
      'node_modules/sharp': { integrity: 'sharp 1' },
      'node_modules/sharp/node_modules/semver': { integrity: 'semver 1' },
    },
  ],
  ['different tools', true, { 'node_modules/jest': { integrity: 'jest 2', dev: true } }],
  ['a different version', false, { 'node_modules/joi': { integrity: 'joi 2' } }],
  ['a different version inside a package', false, { 'node_modules/joi/node_modules/hoek': { integrity: 'hoek 2' } }],
  [
    "a package inside one of the release's packages",
    false,
    { 'node_modules/joi/node_modules/topo': { integrity: 'topo 1' } },
  ],
  ['a package inside a service', false, { 'services/orders/node_modules/joi': { integrity: 'joi 2' } }],
  ['a dependency that is now only a tool', false, { 'node_modules/joi': { integrity: 'joi 1', dev: true } }],
])('with %s, a release finds exactly the packages that it was built with: %s', (_what, expected, changed) => {
  expect(areAllInstalled(lock(release), lock({ ...release, ...changed }))).toBe(expected);
});
