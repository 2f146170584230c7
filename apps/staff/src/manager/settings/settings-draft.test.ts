import { describe, expect, test } from '@jest/globals';
import { restaurant } from '@comanda/testing/stand/data';
import { changesOf, conflictsOf, draftOf, faultsOf, readPercent, withLimit } from './settings-draft.ts';

const stored = draftOf({ restaurant, wifi: { ssid: 'Comanda', password: 'boa-comida-2026' } });

test.each([
  ['10', '10.00'],
  ['12,5', '12.50'],
  [' 7.25 % ', '7.25'],
  ['100', '100.00'],
  ['101', null],
  ['1.234', null],
  ['', null],
  ['ten', null],
])('the percentage %j is %j', (typed, read) => {
  expect(readPercent(typed)).toBe(read);
});

describe('changes of the settings', () => {
  test('are empty if only the spelling differs', () => {
    expect(changesOf({ ...stored, rate: '10,00 %', name: `${stored.name} ` }, stored)).toEqual({});
  });
  test('contain only settings that differ', () => {
    const limits = withLimit(stored.limits, { category: 'Bebidas', amber: '3', late: '6' });
    expect(changesOf({ ...stored, accent: '#166534', wifiPassword: '', limits }, stored)).toEqual({
      accent: '#166534',
      wifi: { ssid: 'Comanda', password: null },
      category_limits: [{ category: 'Bebidas', amber_minutes: 3, late_minutes: 6 }],
    });
  });
});

test.each([
  [{ name: ' ' }, { field: 'name' }],
  [{ rate: '200' }, { field: 'rate' }],
  [{ accent: '#ffd166' }, { field: 'accent', contrast: 1.44 }],
  [{ accent: 'green' }, { field: 'accent', contrast: null }],
  [{ ssid: 'ã'.repeat(17) }, { field: 'ssid' }],
  [{ ssid: '' }, { field: 'ssid' }],
  [{ wifiPassword: 'short' }, { field: 'wifiPassword' }],
  [{ limits: [{ category: 'Bar', amber: '6', late: '3' }] }, { field: 'limits', category: 'Bar', is: 'order' }],
  [{ limits: [{ category: 'Bar', amber: '6', late: '' }] }, { field: 'limits', category: 'Bar', is: 'minutes' }],
])('the draft with %j has a fault', (part, fault) => {
  expect(faultsOf({ ...stored, ...part })).toEqual([fault]);
});

test('settings conflict only if both managers have changed them to different values', () => {
  const now = { ...stored, name: 'Cantina', rate: '12', tips: ['15.00'] };
  const typed = { name: 'Cantina', rate: '15', discount: '5' };
  expect(conflictsOf(typed, { before: stored, now })).toEqual(['service_charge']);
});
