// Lists dishes, categories and stations whose names look the same to people: npm run find-twins, or node dist/find-twins.js in
// the image
import { showTwins, twinsOf } from '@comanda/contracts/text-key';
import { assertPrepared } from '@comanda/shared/mongo/prepare-database';
import { runCommand } from '@comanda/shared/mongo/run-command';
import { createMenuStore } from './menu/menu-store.ts';
import { ordersPreparation } from './preparation.ts';
import { createStationStore } from './stations/station-store.ts';

await runCommand({
  of: {
    service: 'orders',
    database: 'comanda_orders',
    // Checks that this is the orders service's database. In another database, find-twins would find no dishes and report no problem.
    onConnect: (connection) => assertPrepared(connection, ordersPreparation),
  },
  env: process.env,
  settings: {},
  run: async ({ connection }) => {
    const dishes = await createMenuStore(connection).getAll();
    const stations = await createStationStore(connection).find();
    const kinds = [
      ['Dishes', dishes.map(({ name }) => name), 'Rename or remove one of them.'],
      [
        'Categories',
        dishes.flatMap(({ category }) => category ?? []),
        'In a dish of another one, enter the name that you want: all others follow.',
      ],
      [
        'Stations',
        [...dishes.map(({ station }) => station), ...stations.map(({ station }) => station)],
        'In a dish of another one, enter the name that you want: all others follow. Then save its taps and limits once.',
      ],
    ] as const;
    const lines = kinds.flatMap(([kind, names, advice]) =>
      twinsOf(names).map((twins) => `${kind}: ${showTwins(twins)}. ${advice}`),
    );
    return lines.join('\n') || 'No two dishes, categories or stations are the same.';
  },
});
