import { expect, test } from '@jest/globals';
import { eventTypes } from './asyncapi.ts';
import { eventsPage } from './markdown.ts';

const [, ...chapters] = eventsPage().split('\n## ');

test('the events page has a section for each event', () => {
  expect(chapters.map((chapter) => chapter.split('\n')[0])).toEqual(eventTypes.map((type) => `\`${type}\``));
});

test('the events page shows the whole order only once', () => {
  const [first = '', second = ''] = chapters;

  expect(first).toContain('"specversion": "1.0"');
  expect(chapters.filter((chapter) => chapter.includes('"delivered_at": null'))).toEqual([first]);
  expect(second).toContain('"status": "preparing"');
});

test('the events page refers to an earlier event with the same data', () => {
  const changed = chapters.find((chapter) => chapter.startsWith('`security.transaction_password_changed`'));

  expect(changed).toContain('has the same fields as `security.transaction_password_created`');
});
