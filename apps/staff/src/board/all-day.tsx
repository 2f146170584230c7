import { isMissing } from '@comanda/ui/feed-state.ts';
import { messages } from '../messages.ts';
import { drawerMessages } from './messages.ts';
import { countDishes, type DishCount } from './count-dishes.ts';
import type { BoardSession } from './board-session.ts';
import { Drawer } from './drawer.tsx';
import './all-day.css';

type Props = { session: BoardSession; isStrip: boolean; onClose: () => void };

const Figure = ({ count }: { count: number }) => (count === 0 ? <td class="all-day-none">–</td> : <td>{count}</td>);

function nothingText({ feedState, isRead }: BoardSession, empty: string): string {
  const { notRead, notLoaded } = drawerMessages().board;
  if (isMissing(feedState.value, isRead.value)) return notLoaded;
  return isRead.value ? empty : notRead;
}

/**
 * Lists how many portions of each dish are waiting or being cooked, the highest number first. In a strip, both are one number
 * before the dish.
 */
export function AllDay({ session, isStrip, onClose }: Props) {
  const words = drawerMessages().allDay;
  const dishes = countDishes(
    session.board.cards.value.filter(({ look }) => look !== 'kept').map(({ ticket }) => ticket),
  );
  return (
    <Drawer title={messages().board.allDay} {...(!isStrip && { subtitle: words.subtitle })} onClose={onClose}>
      {dishes.length === 0 ? (
        <p>{nothingText(session, words.empty)}</p>
      ) : isStrip ? (
        <Strip dishes={dishes} />
      ) : (
        <table class="all-day">
          <thead>
            <tr>
              <th scope="col">{words.dish}</th>
              <th scope="col">{words.toCook}</th>
              <th scope="col">{words.cooking}</th>
            </tr>
          </thead>
          {dishes.map((dish) => (
            <tbody key={dish.name}>
              <tr>
                <th scope="row">{dish.name}</th>
                <Figure count={dish.toCook} />
                <Figure count={dish.cooking} />
              </tr>
              {dish.remarks.map((remark) => (
                <tr key={remark.text} class="all-day-remark">
                  <th scope="row">
                    <mark>{remark.text}</mark>
                  </th>
                  <Figure count={remark.toCook} />
                  <Figure count={remark.cooking} />
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      )}
    </Drawer>
  );
}

const Strip = ({ dishes }: { dishes: readonly DishCount[] }) => (
  <ul class="all-day-strip">
    {dishes.map(({ name, toCook, cooking, remarks }) => (
      <li key={name}>
        <b>{toCook + cooking}</b> <strong>{name}</strong>
        {remarks.map((remark) => (
          <p key={remark.text}>
            {remark.toCook + remark.cooking} <mark>{remark.text}</mark>
          </p>
        ))}
      </li>
    ))}
  </ul>
);
