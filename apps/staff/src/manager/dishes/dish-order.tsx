import type { Client, LiveItem } from '@comanda/client/core';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { useEffect, useState } from 'preact/hooks';
import { Failure } from '../failure.tsx';
import { moved, Sortable } from '../sortable.tsx';
import './dish-order.css';
import { positionsFor } from './dish-positions.ts';

const nothing: ReadonlyMap<number, number> = new Map();

/** The dishes of a category, to be put in order. Each move is saved at once. */
export function DishOrder({ client, dishes }: { client: Client; dishes: readonly LiveItem[] }) {
  const { failure, run, isBusy, forgetFailure } = useAction();
  /** The dishes' new positions by id, until all are saved; and those that are. */
  const [wanted, setWanted] = useState(nothing);
  const [saved, setSaved] = useState(nothing);
  const [id, position] = [...wanted].find(([each, to]) => saved.get(each) !== to) ?? [];
  useEffect(() => {
    if (wanted.size === 0 || isBusy) return;
    if (failure !== null || id === undefined || position === undefined) {
      setWanted(nothing);
      setSaved(nothing);
      return;
    }
    void run(async () => {
      await client.calls.updateMenuItem({ id, position });
      setSaved((before) => new Map(before).set(id, position));
    });
  }, [client, run, wanted, isBusy, failure, id, position]);
  const placed = dishes.map((dish) => ({ ...dish, position: wanted.get(dish.id) ?? dish.position }));
  const shown = placed.sort((one, other) => one.position - other.position || one.id - other.id);
  function move(from: number, to: number): void {
    forgetFailure();
    const order = moved(shown, from, to).map((dish) => dish.id);
    const changed = [...positionsFor(order, shown)].filter(
      ([each, next]) => shown.find((dish) => dish.id === each)?.position !== next,
    );
    setWanted(new Map([...wanted, ...changed]));
  }
  return (
    <>
      <Sortable items={shown} keyOf={(dish) => dish.id} nameOf={({ name }) => name} onMove={move}>
        {({ id: tile, name, image_url: url }, controls) => (
          <div class="row wrap gap-2 dish-order">
            {controls}
            <span class="dish-order-picture">
              <DishPicture url={url} tile={tile} />
            </span>
            <bdi>{name}</bdi>
          </div>
        )}
      </Sortable>
      <Failure of={failure} />
    </>
  );
}
