import { describe, expect, test } from '@jest/globals';
import { checkSettings } from './check-settings.ts';

const problemWith = (code: string, ...pointers: string[]) =>
  expect.objectContaining({
    code,
    members: { errors: pointers.map((pointer) => ({ pointer, detail: expect.any(String) })) },
  });
const limits = (category: string, amber_minutes = 3, late_minutes = 6) => ({ category, amber_minutes, late_minutes });

describe('new settings', () => {
  test.each([
    ['a dark accent', { accent: '#C8402B' }],
    ['no accent', { accent: null }],
    ['different tips', { tip_suggestions: ['5', '5.50'] }],
    ['limits of different categories', { category_limits: [limits('Bebidas'), limits('Pratos', 15, 22)] }],
  ])('can have %s', (_what, body) => {
    expect(() => checkSettings(body)).not.toThrow();
  });

  test.each([
    ['an accent with too little contrast', { accent: '#777777' }, '/accent'],
    [
      'a category whose amber time is not before its late time',
      { category_limits: [limits('Pratos', 6, 6)] },
      '/category_limits/0/amber_minutes',
    ],
    [
      'a category twice in different spellings',
      { category_limits: [limits('Pratos'), limits('Bebidas'), limits(' PRATOS')] },
      '/category_limits/2/category',
    ],
  ])("can't have %s", (_what, body, pointer) => {
    expect(() => checkSettings(body)).toThrow(problemWith('unprocessable_content', pointer));
  });

  test('are rejected with all their errors at once', () => {
    const body = { accent: '#ffffff', category_limits: [limits('Pratos', 7, 6)] };

    expect(() => checkSettings(body)).toThrow(
      problemWith('unprocessable_content', '/accent', '/category_limits/0/amber_minutes'),
    );
  });

  test("can't contain the same tip twice", () => {
    expect(() => checkSettings({ tip_suggestions: ['5', '5.00'] })).toThrow(
      problemWith('validation_failed', '/tip_suggestions/1'),
    );
  });
});

test('the error for a rejected accent colour shows its contrast, the other colour and the minimum', () => {
  expect(() => checkSettings({ accent: '#777777' })).toThrow(
    expect.objectContaining({
      members: {
        errors: [
          {
            pointer: '/accent',
            detail:
              'White text (#ffffff) on this colour has a contrast of 4.47:1. At least 4.5:1 is needed: choose a darker colour.',
          },
        ],
      },
    }),
  );
});
