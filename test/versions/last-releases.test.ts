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
  ['the same', true, {}],
  [
    'another package, with one of its own',
    true,
    {
      'node_modules/sharp': { integrity: 'sharp 1' },
      'node_modules/sharp/node_modules/semver': { integrity: 'semver 1' },
    },
  ],
  ['other tools', true, { 'node_modules/jest': { integrity: 'jest 2', dev: true } }],
  ['another version', false, { 'node_modules/joi': { integrity: 'joi 2' } }],
  ['another version inside of a package', false, { 'node_modules/joi/node_modules/hoek': { integrity: 'hoek 2' } }],
  [
    'a package inside of one that the release has',
    false,
    { 'node_modules/joi/node_modules/topo': { integrity: 'topo 1' } },
  ],
  ['a package inside of a service', false, { 'services/orders/node_modules/joi': { integrity: 'joi 2' } }],
  ['one of them as a tool alone', false, { 'node_modules/joi': { integrity: 'joi 1', dev: true } }],
])(
  'when what is installed has %s, then a release finds there just what it was made with: %s',
  (_what, expected, changed) => {
    expect(areAllInstalled(lock(release), lock({ ...release, ...changed }))).toBe(expected);
  },
);
