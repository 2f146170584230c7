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
  summary: 'Report that a table is clean',
  details:
    'With the setting `TABLE_CLEANING=on`, a table that guests have left or staff have closed waits to be cleaned. This is only information: scanning its code still seats guests.',
  params: { table: tableName() },
  responses: { 200: { ...theTable, about: 'The table is free; a table that was already free gets the same response' } },
  problems: ['not_found', 'table_seated'],
});
export const moveTable = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/tables/{table}/move',
  name: 'moveTable',
  who: staff,
  summary: 'Move the guests of a table to another table',
  details:
    'The seating keeps its number, and with it its bill, guests and tokens. The tokens name the other table from their next refresh on. Then move the bill (`PUT /bills/{id}/table`). With `seating`, the number of the seating to move, you can repeat the call: if it has already moved, you get the same response.',
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
  summary: 'Join a table with another table: both then share its seating',
  details:
    "If the table `to` has no guests, it gets a seating. The first table's seating ends: what its guests order from now on belongs to the other one, and their tokens name it from the next refresh on. Then merge the bills (`POST /bills/{id}/merge`). Closing one of the tables closes both.",
  params: { table: tableName() },
  body: object({ to: tableName() }).example({ to: '14' }),
  responses: { 200: { ...theTable, about: 'The table, with the seating of `to`' } },
  problems: ['not_found', 'unprocessable_content'],
});

export const tables = [cleanTable, moveTable, joinTables];
