import { describe, expect, test } from '@jest/globals';
import { findForbiddenWords, findLongEntries, findSubjectFault } from './rules.ts';

describe("a commit's subject", () => {
  test.each([
    'fix(kitchen): show the date when a pause ends on another day',
    'docs: split the operators’ pages by task',
    'feat(orders,client)!: rename a field',
  ])('can be "%s"', (subject) => {
    expect(findSubjectFault(subject)).toBeNull();
  });

  test.each([
    ['Show the date', /^should be type\(scope\): command/],
    ['mend(kitchen): show the date', /^should be type\(scope\): command/],
    ['fix(kitchen): a pause of another day names it', /^should be a command/],
    [`fix(kitchen): show ${'x'.repeat(70)}`, /^has 89 characters, 72 are allowed$/],
  ])('can\'t be "%s"', (subject, fault) => {
    expect(findSubjectFault(subject)).toMatch(fault);
  });
});

describe('a changelog entry', () => {
  const words = (count: number): string => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');

  test('has at most 20 words', () => {
    expect(findLongEntries(`## [1.0.0]\n\n- ${words(20)}\n- ${words(21)}\n`)).toEqual([words(21)]);
  });

  test('can have several lines', () => {
    expect(findLongEntries(`- ${words(15)}\n  ${words(6)}\n`)).toHaveLength(1);
  });

  test('counts a link by its text', () => {
    expect(findLongEntries(`- ${words(19)} ([how](docs/run/monitor.md "the page of metrics")).\n`)).toEqual([]);
  });
});

describe('a text in an app', () => {
  test.each([
    ["loading: 'Reading the menu…'", 'Loading…'],
    ['off: `Nothing was taken`', "You weren't charged"],
    ['service: (percent: number) => `Service ${percent} %`', 'no space before %'],
    ['text: "Somebody is coming"', 'say which person'],
    ["digits: 'Quatro algarismos'", 'dígitos'],
  ])('contains none of the forbidden words: %s', (source, instead) => {
    expect(findForbiddenWords(source)).toEqual([expect.stringContaining(`(${instead})`)]);
  });

  test('can have comments with forbidden words', () => {
    expect(findForbiddenWords("/** Nobody reads it. */\nconst a = 'Loading…'; // somebody")).toEqual([]);
  });
});
