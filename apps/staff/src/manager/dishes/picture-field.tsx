import { pictureIdOf } from '@comanda/contracts/picture-address';
import { classNames } from '@comanda/ui/class-names.ts';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import type { ComponentChildren } from 'preact';
import { managerMessages } from '../messages.ts';
import './picture-field.css';
import { PictureUpload } from './picture-upload.tsx';
import { useDrop } from './use-drop.ts';
import type { usePictureUpload } from './use-picture-upload.ts';

type PictureFieldProps = {
  /** The picture's address; empty if the dish has none. */
  imageUrl: string;
  tile: number;
  upload: ReturnType<typeof usePictureUpload>;
  onRemove: () => void;
  /** Why the dish could not be saved with this picture; undefined if there was no problem. */
  refusal: string | undefined;
  /** The texts that guests read beside the picture on the menu. */
  children: ComponentChildren;
};

/** Shows a dish's picture, and lets the manager select another file: from a phone's camera, or by drag and drop. */
export function PictureField({ imageUrl, tile, upload, onRemove, refusal, children }: PictureFieldProps) {
  const words = managerMessages().dish;
  const { isUploading } = upload;
  const drop = useDrop((file) => void upload.upload(file));
  return (
    <div
      class={classNames('picture-field', drop.isOver && 'picture-field-over')}
      role="group"
      aria-label={words.image}
      aria-busy={isUploading}
      {...drop.handlers}
    >
      <div class="wrap picture-field-preview">
        <Seen as="page" text={words.pictureOnPage}>
          <DishPicture key={imageUrl} url={imageUrl === '' ? null : imageUrl} tile={tile} sizes="440px" />
        </Seen>
        <div class="wrap gap-3 picture-field-card">
          {children}
          <Seen as="row" text={managerMessages().nav.menu}>
            <DishPicture key={imageUrl} url={imageUrl === '' ? null : imageUrl} tile={tile} sizes="96px" />
          </Seen>
        </div>
        {isUploading && <progress class="picture-field-progress" aria-label={words.pictureUploading} />}
      </div>
      <PictureUpload
        upload={upload}
        hasPicture={pictureIdOf(imageUrl) !== null}
        hint={words.pictureHint}
        refusal={refusal}
        onRemove={onRemove}
      />
    </div>
  );
}

/** Shows the middle of the picture, cropped to a shape that a guest's phone uses. */
const Seen = ({ as, text, children }: { as: 'page' | 'row'; text: string; children: ComponentChildren }) => (
  <figure class={`picture-field-as-${as}`}>
    <span>{children}</span>
    <figcaption>{text}</figcaption>
  </figure>
);
