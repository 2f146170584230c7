import { expect, test } from '@jest/globals';
import { newOption, newOptionGroup } from '@comanda/testing/stand/data';
import {
  changesOfGroup,
  draftOfGroup,
  faultAt,
  faultsOfGroup,
  isSameGroup,
  newGroupBody,
  newGroupDraft,
  withNewOption,
  type GroupDraft,
  type OptionDraft,
} from './group-draft.ts';

const blank = (): OptionDraft => newGroupDraft().options[0] as OptionDraft;
const option = (differs: Partial<OptionDraft> = {}): OptionDraft => ({ ...blank(), name: 'A', ...differs });
const group = (differs: Partial<GroupDraft> = {}): GroupDraft => ({
  ...newGroupDraft(),
  name: 'Sabores',
  options: [option(), option({ name: 'B' })],
  ...differs,
});
const faultsIn = (differs: Partial<GroupDraft>): string[] => faultsOfGroup(group(differs)).map(({ field }) => field);

test.each([
  ['', '0.00'],
  ['4', '4.00'],
  ['+4,5', '4.50'],
  ['007,00', '7.00'],
  ['-2.5', '-2.50'],
  ['−2,50', '-2.50'],
])('an option’s price of “%s” is sent as %s', (price, sent) => {
  expect(newGroupBody(group({ options: [option({ price })] })).options[0]?.price).toBe(sent);
});

test.each<[what: string, differs: Partial<GroupDraft>, faults: string[]]>([
  ['nothing', {}, []],
  ['no name', { name: ' ' }, ['name']],
  ['a name that is too long', { name: 'a'.repeat(61) }, ['name']],
  ['no option', { options: [blank()] }, ['options']],
  ['fewer options than guests must choose', { min: 3, max: 3 }, ['min']],
  ['an option without a name', { options: [option({ name: '', price: '1' })] }, ['optionName']],
  ['a price that is no amount', { options: [option({ price: 'grátis' })] }, ['price']],
  ['a price that is too high', { options: [option({ price: '100000' })] }, ['price']],
  ['a forgotten price in an average', { method: 'average', options: [option({ price: '58' }), option()] }, ['price']],
  ['a forgotten price among the dearest', { method: 'max', options: [option({ price: ' ' })] }, ['price']],
  ['no fault in a price of nothing', { method: 'average', options: [option({ price: '0' })] }, []],
  ['a discount in an average', { method: 'average', options: [option({ price: '-1' })] }, ['below0']],
  [
    'too many that are preselected',
    { options: [option({ isDefault: true }), option({ isDefault: true })] },
    ['defaults'],
  ],
])('the form finds %s', (_what, differs, faults) => {
  expect(faultsIn(differs)).toEqual(faults);
});

test('the same option several times is enough for guests to choose', () => {
  expect(faultsIn({ min: 3, max: 3, options: [option({ maxEach: 3 })] })).toEqual([]);
});

test('a group is sent without rows that nobody has filled in, and without what a rule forbids', () => {
  const body = newGroupBody(
    group({
      min: 0,
      method: 'average',
      free: 2,
      options: [option({ isDefault: true, maxEach: 4, groupIds: [9], price: '0' }), blank()],
    }),
  );
  expect(body).toMatchObject({ price_method: 'average', options: [{ default: false, max_each: 1 }] });
  expect([body.options.length, 'free' in body, 'name_translations' in body]).toEqual([1, false, false]);
});

test('each new option has its own key, even after one was removed', () => {
  const draft = newGroupDraft();
  const { options } = withNewOption({ ...draft, options: draft.options.slice(0, 1) });
  expect(options.map(({ key }) => key)).toEqual(['new-1', 'new-3']);
});

test('a rejected dish of a combo is a fault of its option', () => {
  const draft = group({ options: [option({}), option({ itemId: 9 })] });
  expect(faultAt('/options/1/item_id', draft)).toEqual({ field: 'component', key: draft.options[1]?.key });
});

test('a change sends only the members that differ', () => {
  const stored = newOptionGroup(4, 'Sabores', { options: [newOption(31, 'Calabresa', { price: '58.00' })] });
  const before = draftOfGroup(stored);
  expect(changesOfGroup(before, before)).toEqual({});
  expect(changesOfGroup({ ...before, max: 2 }, before)).toEqual({ max: 2 });
});

test('a group is the same while only the availability of its options changes', () => {
  const stored = newOptionGroup(4, 'Sabores', { options: [newOption(31, 'Calabresa')] });
  const soldOut = { ...stored, version: 2, options: [newOption(31, 'Calabresa', { available: false })] };
  expect(isSameGroup(stored, soldOut)).toBe(true);
  expect(isSameGroup(stored, { ...soldOut, max: 2 })).toBe(false);
});
