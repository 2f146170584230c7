import { describe, expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { problems } from '@comanda/contracts/problems';
import { common } from '@comanda/ui/messages/common.en.ts';
import { forms } from '@comanda/ui/messages/forms.en.ts';

const root = join(import.meta.dirname, '..');
const sources = new Map(
  ['packages/ui/src', 'apps/guest/src', 'apps/staff/src']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
);
const isTexts = (file: string): boolean => /\/messages\/(?:[\w-]+\.)?(?:en|pt-br)\.ts$/.test(file);
/** Returns the code of all files except texts for which this is true. */
const codeWhere = (isIncluded: (file: string, code: string) => boolean): string =>
  [...sources]
    .filter(([file, code]) => !isTexts(file) && isIncluded(file, code))
    .map(([, code]) => code)
    .join('\n');
/** Components of `ui` get some messages as an argument, and the messages of a failed call are named after its problem. */
const ofUi = codeWhere((file) => file.startsWith('packages/ui'));
const codes = Object.keys(problems).map((code) => `'${code}'`);

type Messages = Readonly<Record<string, unknown>>;
const isGroup = (value: unknown): value is Messages =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map);
/**
 * Returns the paths of messages whose names the code does not mention. If the code reads a group with a computed name
 * (`status[order.status]`) or as a whole, all its messages are used. A computed name may have a fixed end (`${fault}ToDo`).
 */
function unusedIn(messages: Messages, code: string, path = ''): string[] {
  return Object.entries(messages).flatMap(([name, value]) => {
    const isNamed = new RegExp(`[.'"]${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\} = `).test(code);
    const isComputed = [...code.matchAll(/\}([A-Z]\w+)`\]/g)].some(([, end = '']) => name.endsWith(end));
    if (!isNamed && !isComputed) return [path + name];
    const isWhole = !isGroup(value) || new RegExp(`\\.${name}(?!\\.\\w|\\w)|\\b${name}\\[`).test(code);
    return isWhole ? [] : unusedIn(value, code, `${path}${name}.`);
  });
}

/** All functions that return messages, such as `waiterMessages`, with the code that calls them. */
const sets = [...sources].flatMap(([file, source]) =>
  [...source.matchAll(/export const (\w+) = messagesOf\(/g)].map(([, name = '']) => ({ file, name })),
);

describe('messages', () => {
  test('that no code mentions are found', () => {
    const messages = { send: '', gone: '', status: { ready: '' }, form: { title: '', lost: '' } };
    const code = 'const { send } = words(); words().status[order.status]; words().form.title;';
    expect(unusedIn(messages, code)).toEqual(['gone', 'form.lost']);
  });
  test.each(sets)('$name of $file are all used', async ({ file, name }) => {
    const { [name]: messages } = (await import(join(root, file))) as Record<string, () => Messages>;
    // Messages that include those of another page, for a page that is loaded later.
    const others = sets.filter((each) => each.file !== file && file.startsWith(each.file.replace('messages.ts', '')));
    const names = [name, ...others.map((each) => each.name)];
    const users = codeWhere((_file, code) => names.some((each) => new RegExp(`\\b${each}\\b`).test(code)));
    const isComputed = users.includes(`${name}()[`);
    expect(isComputed ? [] : unusedIn(messages?.() ?? {}, [users, ofUi, ...codes].join('\n'))).toEqual([]);
  });
  test('that several pages share are used in several places', () => {
    const texts = [...sources].filter(([file]) => file.endsWith('en.ts') && isTexts(file)).map(([, code]) => code);
    const uses = (name: string): number =>
      texts.join('\n').split(new RegExp(`\\b(?:common|forms)\\.${name}\\b`)).length - 1;
    expect(Object.keys({ ...common, ...forms }).filter((name) => uses(name) < 2)).toEqual([]);
  });
  test('are in one file for each language', () => {
    const texts = [...sources.keys()].filter(isTexts);
    const twins = texts.map((file) =>
      file.replace(/pt-br(?=\.ts$)|en(?=\.ts$)/, (from) => (from === 'en' ? 'pt-br' : 'en')),
    );
    const strays = [...sources].filter(([file, code]) => !isTexts(file) && /\bconst (?:en|ptBr)\b/.test(code));
    expect({ twins: twins.toSorted(), strays: strays.map(([file]) => file) }).toEqual({
      twins: texts.toSorted(),
      strays: [],
    });
  });
});
