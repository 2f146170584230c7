import { isMissing } from '@comanda/ui/feed-state.ts';
import { messages } from '../messages.ts';
import { drawerMessages } from './messages.ts';
import { countDishes, type DishCount, type DishDetail } from './count-dishes.ts';
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
              {dish.details.map((detail) => (
                <tr key={keyOf(detail)} class="all-day-remark">
                  <th scope="row">
                    <DetailText of={detail} />
                  </th>
                  <Figure count={detail.toCook} />
                  <Figure count={detail.cooking} />
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      )}
    </Drawer>
  );
}

const keyOf = ({ text, isRemark }: DishDetail): string => `${isRemark} ${text}`;
const DetailText = ({ of: { text, isRemark } }: { of: DishDetail }) =>
  isRemark ? <mark>{text}</mark> : <span>{text}</span>;

const Strip = ({ dishes }: { dishes: readonly DishCount[] }) => (
  <ul class="all-day-strip">
    {dishes.map(({ name, toCook, cooking, details }) => (
      <li key={name}>
        <b>{toCook + cooking}</b> <strong>{name}</strong>
        {details.map((detail) => (
          <p key={keyOf(detail)}>
            {detail.toCook + detail.cooking} <DetailText of={detail} />
          </p>
        ))}
      </li>
    ))}
  </ul>
);
