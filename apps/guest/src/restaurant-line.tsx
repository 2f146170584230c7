import { menuPictures } from '@comanda/contracts/rules';
import { classNames } from '@comanda/ui/class-names.ts';
import { messages } from './messages.ts';
import { restaurant } from './restaurant.ts';
import './restaurant-line.css';

/** The restaurant's logo and name, above a page. `isWide`: true if the page fills a wide screen. */
export const RestaurantLine = ({ isWide }: { isWide: boolean }) => {
  const { name, logo } = restaurant.value;
  return (
    <section
      class={classNames('row gap-2 restaurant-line', isWide && 'restaurant-line-wide')}
      aria-label={messages().restaurant}
      translate={false}
    >
      {logo !== null && (
        <img src={`${logo}?width=${menuPictures.widths.small}`} alt="" width="28" height="28" decoding="async" />
      )}
      <bdi>{name}</bdi>
    </section>
  );
};
