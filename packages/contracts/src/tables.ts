import { endpoint, manager, staff } from './endpoint.ts';
import { maxTablesPerCall } from './rules.ts';
import { component, id, list, nullable, object, oneOf, optional, tableName, text, time, type Infer } from './schema.ts';

/** `to_clean`: the guests have left, and the table has not been cleaned yet. New guests can still be seated. */
export const tableStatuses = ['free', 'seated', 'to_clean'] as const;
const tableState = {
  table: tableName(),
  status: oneOf(...tableStatuses).example('seated'),
  seating: nullable(id().example(88)),
  /** The time when the guests were seated, even if that was at another table. */
  seated_at: nullable(time()),
  version: id().example(4),
};
/** A table in an event. Unlike the API's other tables, it has no token and no URL for its code. */
export const tableInEvent = component('TableInEvent', object(tableState));
export const table = component(
  'Table',
  object({
    ...tableState,
    table_token: text(255).example('dGFibGUtMTI'),
    url: text(2048).example('http://localhost:3000/?table=dGFibGUtMTI'),
    rotated_at: time(),
  }),
);
export type Table = Infer<typeof table>;

/** Why a table has changed. */
export const tableChange = oneOf('opened', 'closed', 'cleaned', 'moved', 'joined', 'code_changed');

/** Both lists are in the order of the request. */
const addedTables = component('AddedTables', object({ added: list(table), existing: list(table) }));
const theTable = { about: 'The table', body: table } as const;
export const listTables = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/tables',
  name: 'listTables',
  who: staff,
  summary: 'List the tables with the content of their QR codes and their current seating',
  exampleNeeds: 'a table',
  responses: { 200: { about: 'All tables', body: list(table) } },
  problems: [],
});
export const putTable = endpoint({
  service: 'auth-stepup',
  method: 'PUT',
  path: '/tables/{table}',
  name: 'putTable',
  who: manager,
  summary: 'Add a table, or replace the code of an existing one',
  params: { table: tableName() },
  responses: {
    200: { about: 'The table existed; its old code is no longer valid', body: table },
    201: { about: 'The new table', body: table, headers: ['Location'] },
  },
  problems: ['table_exists'],
});
export const addTables = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/tables',
  name: 'addTables',
  who: manager,
  summary: 'Add several tables, such as 1 to 12',
  details: `Adds all missing tables, or none if the call fails. A table that exists keeps its code and its guests, so you can repeat the call. \`T9\` and \`t9\` are the same table. You can send up to ${maxTablesPerCall} names.`,
  body: object({
    tables: list(tableName()).unique().min(1).max(maxTablesPerCall),
  }).example({ tables: ['1', '2', '3'] }),
  responses: {
    200: { about: 'All these tables existed', body: addedTables },
    201: { about: 'The new tables, and those that existed', body: addedTables },
  },
  problems: [],
});
export const deleteTable = endpoint({
  service: 'auth-stepup',
  method: 'DELETE',
  path: '/tables/{table}',
  name: 'deleteTable',
  who: manager,
  summary: 'Remove a table and its code, and close its seating',
  params: { table: tableName() },
  exampleNeeds: 'a table',
  responses: { 204: { about: 'Removed', body: null } },
  problems: ['not_found'],
});
export const openTable = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/tables/{table}/open',
  name: 'openTable',
  who: staff,
  summary: 'Open a table: start its seating, which guests join by scanning the code',
  details:
    'A table that has a seating keeps it. With the setting `SEATING_OPENED_BY=staff`, guests can join only a seating opened by this call; otherwise the first scan opens one.',
  params: { table: tableName() },
  exampleNeeds: 'a table',
  responses: { 200: { about: 'The table with its seating', body: table } },
  problems: ['not_found'],
});
export const closeTable = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/tables/{table}/close',
  name: 'closeTable',
  who: staff,
  summary: 'Close a table: end its seating and sign its guests out',
  details:
    'Once you get 204, the seating accepts no orders from any user, and its guests get the event `seating.closed`. If the orders service cannot be reached, the response is 503 and the table stays open.',
  params: { table: tableName() },
  exampleNeeds: 'a table',
  responses: { 204: { about: 'Closed; a table without a seating gets the same response', body: null } },
  problems: ['not_found'],
});

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
  exampleNeeds: 'a closed table',
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
  exampleNeeds: 'a table with guests',
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
  exampleNeeds: 'two tables',
  responses: { 200: { ...theTable, about: 'The table, with the seating of `to`' } },
  problems: ['not_found', 'unprocessable_content'],
});

export const tables = [
  listTables,
  putTable,
  addTables,
  deleteTable,
  openTable,
  closeTable,
  cleanTable,
  moveTable,
  joinTables,
];
