import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWeakPin } from '@comanda/contracts/weak-pin';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { describeSignIns, loadDemoSignIns, publicSignIns, randomPin } from './demo-sign-ins.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'comanda-sign-ins-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('sign-ins for a demo that is open to others', () => {
  test('are created at the first start, in a file that only its owner can read', () => {
    const path = join(folder, 'sign-ins.json');

    const signIns = loadDemoSignIns(path);

    const { managerPin, ...users } = signIns;
    const passwords = Object.values(users).map(({ password }) => password);
    expect(new Set(passwords).size).toBe(4);
    expect(JSON.stringify(signIns)).not.toContain(publicSignIns.manager.password);
    expect(managerPin).not.toBe(publicSignIns.managerPin);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(loadDemoSignIns(join(folder, 'other.json'))).not.toEqual(signIns);
  });

  test("stay the same once they're stored", () => {
    const path = join(folder, 'sign-ins.json');

    const first = loadDemoSignIns(path);

    expect(loadDemoSignIns(path)).toEqual(first);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(first);
  });

  test('stay the same even if their file is damaged', () => {
    const path = join(folder, 'sign-ins.json');
    writeFileSync(path, '{');

    expect(() => loadDemoSignIns(path)).toThrow(/damaged/);
    expect(readFileSync(path, 'utf8')).toBe('{');
  });

  test('are listed on one line per user', () => {
    const signIns = loadDemoSignIns(join(folder, 'sign-ins.json'));

    const lines = describeSignIns(signIns);

    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain(`${signIns.manager.password}   PIN ${signIns.managerPin}`);
    expect(lines[3]).toMatch(/^second@comanda\.test +\S{19}$/);
  });

  test('never include a PIN that is easy to guess', () => {
    const pins = Array.from({ length: 5000 }, randomPin);

    expect(pins.filter(isWeakPin)).toEqual([]);
    for (const pin of pins) expect(pin).toMatch(/^\d{6}$/);
  });
});
