import Joi from 'joi';
import { confirmedBy, movement, movementMethod, movementMethods, staffMember } from './cash-drawers.ts';
import { takings } from './day.ts';
import { endpoint, manager } from './endpoint.ts';
import { exception, exceptionKinds } from './exceptions.ts';
import {
  component,
  count,
  documented,
  id,
  list,
  money,
  nullable,
  object,
  oneOf,
  optional,
  pagesByNumber,
  text,
  time,
  type Infer,
} from './schema.ts';

/** The maximum number of days in one report, and of rows in one file. */
export const maxReportDays = 92;
export const maxReportRows = 100_000;

const by = () => nullable(staffMember).description('Null for customers.');
const waiterRow = component(
  'WaiterRow',
  object({
    by: by(),
    method: nullable(oneOf(...movementMethods).example('cash')).description(
      'Null for the row of the service charge: `count` bills that this person closed, and `amount`, their service charge.',
    ),
    confirmed_by: confirmedBy(),
    count: count().example(61).description('How many payments this person took.'),
    amount: money().example('6742.09'),
    tips: money().example('0.00'),
    refunds: money().example('0.00').description('What this person refunded by this method, without tips.'),
  }),
);
export type WaiterRow = Infer<typeof waiterRow>;
const billRow = component(
  'BillRow',
  object({
    number: id().example(8122),
    id: id().example(312),
    table: nullable(text(16)).example('12'),
    opened_at: time(),
    closed_at: time(),
    items_total: money().example('65.00'),
    discount_total: money().example('0.00'),
    service_charge: money().example('6.50'),
    rounding: money().example('0.00'),
    total: money().example('71.50'),
    tips: money().example('5.00'),
    refunded: money().example('0.00'),
  }),
);
export type BillRow = Infer<typeof billRow>;
const dishRow = component(
  'DishRow',
  object({
    item_id: id().example(7),
    name: text(255).example('Feijoada'),
    quantity: count().example(41),
    amount: money().example('1332.50').description('Before discounts.'),
  }),
);
export type DishRow = Infer<typeof dishRow>;
const hourRow = component(
  'HourRow',
  object({
    hour: count().max(23).example(20).description("The hour of ordering, in the restaurant's time zone."),
    orders: count().example(31),
    items: count().example(88),
    amount: money().example('2871.00'),
  }),
);
export type HourRow = Infer<typeof hourRow>;
const seconds = () => count().example(540);
const stationRow = component(
  'StationRow',
  object({
    station: text(32).example('kitchen'),
    items: count().example(120).description('Items that became ready.'),
    median_seconds: seconds().description('The median time from ordering to ready.'),
    p90_seconds: seconds().description('Nine of ten items were ready within this time.'),
  }),
);
export type StationRow = Infer<typeof stationRow>;

const exceptionSum = object({
  kind: oneOf(...exceptionKinds).example('item_cancelled'),
  by: by(),
  count: count().example(2),
  amount: money().example('64.00'),
});
const tipRow = object({ method: movementMethod(), confirmed_by: confirmedBy(), amount: money() });
const figuresShape = {
  bills: object({
    closed: count().example(93),
    open: count().example(4),
    remaining: money().example('212.00').description('What is left to pay of open bills.'),
  }),
  guests: nullable(count().example(188)).description('Null if no bill says how many guests it has.'),
  late: object({ items: count().example(7), of: count().example(120) }).description(
    'How many items became ready later than their limit, of all that became ready.',
  ),
  hours: list(hourRow),
  dishes: list(dishRow).description('The 20 dishes ordered most.'),
  stations: list(stationRow),
  payments: list(takings).description('Of cash, only what was counted.'),
  tips: list(tipRow).description('Of cash, only what was counted.'),
  waiters: list(waiterRow).description('Of cash, only what was counted.'),
  exceptions: list(exceptionSum),
};
const figuresBefore = component('FiguresBefore', object(figuresShape));
export type FiguresBefore = Infer<typeof figuresBefore>;
export const figures = component(
  'Figures',
  object({
    ...figuresShape,
    before: nullable(figuresBefore)
      .example(null)
      .description('The same of the last closed day of this weekday with an earlier date; null if there is none.'),
  }),
);
export type Figures = Infer<typeof figures>;

/** The rows of each report. Those with `pages` are returned in pages, the others whole. */
const reportRows = {
  movements: movement,
  exceptions: exception,
  waiters: waiterRow,
  bills: billRow,
  dishes: dishRow,
  hours: hourRow,
  stations: stationRow,
} as const;
export const reportNames = Object.keys(reportRows) as (keyof typeof reportRows)[];
export type ReportName = keyof typeof reportRows;
type Row = { [Name in ReportName]: Infer<(typeof reportRows)[Name]> }[ReportName];
export type ReportRows<Name extends ReportName> = Infer<(typeof reportRows)[Name]>[];

const anyRows = documented(
  Joi.alternatives<Row[]>().try(...reportNames.map((name) => list(reportRows[name] as Joi.AnySchema))),
  {},
);

export const getDayFigures = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/day/figures',
  name: 'getDayFigures',
  who: manager,
  summary: 'Get the figures of the running day, or of a closed day by its number',
  details:
    'Nothing here adds up all ways of paying, so no figure tells what a cash drawer should hold before it is counted. Of a day that stays open for weeks, only the newest 10,000 orders and bills, and 20,000 movements and exceptions, are in its figures.',
  query: { number: optional(id().description('The number of a closed day.')) },
  responses: { 200: { about: 'The figures', body: figures } },
  problems: ['not_found'],
});
export const getReport = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/reports/{report}',
  name: 'getReport',
  who: manager,
  summary: 'Get a report of closed days, as JSON or as CSV [RFC 4180]',
  details: `\`movements\`, \`exceptions\`, \`waiters\`: of these days. \`bills\`, \`dishes\`, \`hours\`, \`stations\`: of the bills closed in them. With \`Accept: text/csv\` you get all rows in one file, at most ${maxReportRows}. Otherwise, \`movements\`, \`exceptions\` and \`bills\` have pages, newest first. With \`excel=true\` the file opens in spreadsheets in Brazil: semicolons, decimal commas and local times without an offset. If a long report takes too long, you get 503: the next call finds it.`,
  params: { report: oneOf(...reportNames).example('movements') },
  query: {
    from: id().example(1).description('The number of the first day.').required(),
    to: id().example(1).description(`The number of the last day, at most ${maxReportDays} days in all.`).required(),
    excel: optional(oneOf('true', 'false')),
    ...pagesByNumber,
  },
  exampleNeeds: 'a closed day',
  responses: { 200: { about: 'The rows', body: anyRows, file: 'text/csv; charset=utf-8', headers: ['Link', 'Vary'] } },
  problems: ['unprocessable_content'],
});

export const reports = [getDayFigures, getReport];
