import { endpoint, staff } from './endpoint.ts';
import { id, object, oneOf, optional, tableName } from './schema.ts';
import { table } from './users.ts';

/** Why a table has changed. */
export const tableChange = oneOf('opened', 'closed', 'cleaned', 'moved', 'joined', 'code_changed');

const theTable = { about: 'The table', body: table } as const;

export const cleanTable = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/tables/{table}/clean',
  name: 'cleanTable',
  who: staff,
  summary: 'Tell that a table is clean',
  details:
    'With the setting `TABLE_CLEANING=on`, a table that is closed or left waits to be cleaned. That is information: a scan of its code seats guests all the same.',
  params: { table: tableName() },
  responses: { 200: { ...theTable, about: 'The table is free; one that was free gets the same response' } },
  problems: ['not_found', 'table_seated'],
});
export const moveTable = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/tables/{table}/move',
  name: 'moveTable',
  who: staff,
  summary: 'Move the guests of a table to another one',
  details:
    'The seating keeps its number, so that its bill, its guests and their tokens stay; from their next refresh on, the tokens name the other table. Move the bill after it (`PUT /bills/{id}/table`). With `seating`, the number that moves, the call can be repeated: a seating that is there already gets the same response.',
  params: { table: tableName() },
  body: object({ to: tableName(), seating: optional(id()) }).example({ to: '14' }),
  responses: { 200: { ...theTable, about: 'The table `to`, with the seating' } },
  problems: ['not_found', 'table_seated', 'table_not_seated'],
});
export const joinTables = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/tables/{table}/join',
  name: 'joinTables',
  who: staff,
  summary: 'Join a table with another one: both have the seating of that one',
  details:
    'A table `to` without guests gets a seating. The seating that the table had ends in the other one: what its guests order from now on belongs to that, and they are in it from their next refresh on. Merge the bills after it (`POST /bills/{id}/merge`). Closing one of the tables closes both.',
  params: { table: tableName() },
  body: object({ to: tableName() }).example({ to: '14' }),
  responses: { 200: { ...theTable, about: 'The table, with the seating of `to`' } },
  problems: ['not_found', 'unprocessable_content'],
});

export const tables = [cleanTable, moveTable, joinTables];
