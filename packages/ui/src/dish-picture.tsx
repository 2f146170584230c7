import { pictureIdOf, withoutSize } from '@comanda/contracts/picture-address';
import { menuPictures } from '@comanda/contracts/rules';
import { useState } from 'preact/hooks';
import { classNames } from './class-names.ts';
import './dish-picture.css';

type DishPictureProps = {
  /** The picture's URL, or null. A drawing of a plate is shown if there is no picture or it fails to load. */
  url: string | null;
  /** A number that determines the tile's colour, for example the dish's position on the menu. */
  tile: number;
  isFaded?: boolean;
  /** Use `eager` for pictures that are visible without scrolling. */
  loading?: 'lazy' | 'eager';
  /**
   * The picture's width on the screen, as in the `sizes` attribute [HTML]. The default is 96 px. Browsers use it to choose which
   * size of an uploaded picture to load.
   */
  sizes?: string;
};
const { small, large } = menuPictures.widths;

/** A dish's picture on a coloured tile. It has no alternative text, because the dish's name is beside it. */
export function DishPicture({ url, tile, isFaded = false, loading = 'lazy', sizes = '96px' }: DishPictureProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const isPhotograph = url !== failedUrl && pictureIdOf(url) !== null;
  const sized = withoutSize(url);
  return (
    <span
      class={classNames(
        'dish-picture',
        `dish-picture-${tile % 4}`,
        isFaded && 'dish-picture-faded',
        isPhotograph && 'dish-picture-photograph',
      )}
    >
      {url !== null && url !== failedUrl ? (
        <img
          src={url}
          {...(sized !== null && { srcset: `${sized}?width=${small} ${small}w, ${sized} ${large}w`, sizes })}
          alt=""
          width="96"
          height="96"
          loading={loading}
          decoding="async"
          onError={() => setFailedUrl(url)}
        />
      ) : (
        <svg viewBox="0 0 96 96" aria-hidden="true">
          <circle cx="51.5" cy="52.5" r="34" fill="#2a1405" opacity=".16" />
          <circle cx="48" cy="48" r="34" fill="#fffbf3" />
          <circle cx="48" cy="48" r="24" fill="#faf2e4" stroke="#e9dcc5" stroke-width="2" />
          <path
            d="M36 38v20M32 38v6a4 4 0 0 0 8 0v-6M60 58V38c-4 2-5 8-4 12h4"
            stroke="#c9b794"
            stroke-width="2.4"
            fill="none"
            stroke-linecap="round"
            stroke-linejoin="round"
          />
        </svg>
      )}
    </span>
  );
}
