import { isMissing } from '@comanda/ui/feed-state.ts';
import { messages } from '../messages.ts';
import { drawerMessages } from './messages.ts';
import { countDishes } from './count-dishes.ts';
import type { BoardSession } from './board-session.ts';
import { Drawer } from './drawer.tsx';
import './all-day.css';

type Props = { session: BoardSession; onClose: () => void };

const Figure = ({ count }: { count: number }) => (count === 0 ? <td class="all-day-none">–</td> : <td>{count}</td>);

function nothingText({ feedState, isRead }: BoardSession, empty: string): string {
  const { notRead, notLoaded } = messages().board;
  if (isMissing(feedState.value, isRead.value)) return notLoaded;
  return isRead.value ? empty : notRead;
}

/** Lists how many portions of each dish are waiting or being cooked, the highest number first. */
export function AllDay({ session, onClose }: Props) {
  const words = drawerMessages().allDay;
  const dishes = countDishes(
    session.board.cards.value.filter(({ look }) => look !== 'kept').map(({ ticket }) => ticket),
  );
  return (
    <Drawer title={messages().board.allDay} subtitle={words.subtitle} onClose={onClose}>
      {dishes.length === 0 ? (
        <p>{nothingText(session, words.empty)}</p>
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
