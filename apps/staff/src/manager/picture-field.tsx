import { pictureTypes } from '@comanda/contracts/rules';
import { pictureIdOf } from '@comanda/contracts/picture-address';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import type { ComponentChildren, TargetedDragEvent } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { managerMessages } from './messages.ts';
import './picture-field.css';
import type { usePictureUpload } from './use-picture-upload.ts';

type PictureFieldProps = {
  /** The picture's address; empty if the dish has none. */
  imageUrl: string;
  tile: number;
  upload: ReturnType<typeof usePictureUpload>;
  onRemove: () => void;
  /** Why the dish could not be saved with this picture; undefined if there was no problem. */
  refusal: string | undefined;
};

/** Shows a dish's picture, and lets the manager select another file: from a phone's camera, or by drag and drop. */
export function PictureField({
  imageUrl,
  tile,
  upload: { upload, isUploading, error: failed },
  onRemove,
  refusal,
}: PictureFieldProps) {
  const words = managerMessages().dish;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const error = failed ?? refusal ?? null;
  const drop = useDrop((file) => void upload(file));
  return (
    <div
      class={classNames('picture-field', drop.isOver && 'picture-field-over')}
      role="group"
      aria-label={words.image}
      aria-busy={isUploading}
      {...drop.handlers}
    >
      <div class="picture-field-preview">
        <Seen as="page" text={words.pictureOnPage}>
          <DishPicture key={imageUrl} url={imageUrl === '' ? null : imageUrl} tile={tile} sizes="440px" />
        </Seen>
        <Seen as="row" text={words.pictureInMenu}>
          <DishPicture key={imageUrl} url={imageUrl === '' ? null : imageUrl} tile={tile} sizes="96px" />
        </Seen>
        {isUploading && <progress class="picture-field-progress" aria-label={words.pictureUploading} />}
      </div>
      <div class="picture-field-actions">
        <label class="button button-secondary button-small picture-field-choose">
          <Icon name="plus" />
          <span class="button-text">{words.pictureUpload}</span>
          <input
            ref={input}
            type="file"
            // The list isn't `image/*`, because an iPhone converts its HEIC photos to JPEG for these types.
            accept={pictureTypes.join()}
            aria-invalid={error !== null}
            aria-describedby={`${id}-hint ${id}-error`}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              // Without this, selecting the same file again would cause no event.
              currentTarget.value = '';
              if (file) void upload(file);
            }}
          />
        </label>
        {pictureIdOf(imageUrl) !== null && (
          <Button
            size="small"
            aria-label={words.pictureRemoveIt}
            onClick={() => {
              onRemove();
              input.current?.focus(); // the button that had the focus is gone
            }}
          >
            {words.pictureRemove}
          </Button>
        )}
        <p class="field-hint" id={`${id}-hint`} role="status">
          {isUploading ? words.pictureUploading : words.pictureHint}
          {!isUploading && <span class="picture-field-drop"> {words.pictureDrop}</span>}
        </p>
        <p class="field-error" id={`${id}-error`} role="alert">
          {error !== null && (
            <>
              <Icon name="warning" size={20} /> {error}
            </>
          )}
        </p>
      </div>
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

/** Returns the handlers for an area onto which a file can be dropped. */
function useDrop(onFile: (file: File) => void) {
  const [isOver, setIsOver] = useState(false);
  const hold = (event: TargetedDragEvent<HTMLElement>): void => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault(); // Otherwise the browser would open the file in place of the app.
    setIsOver(true);
  };
  return {
    isOver,
    handlers: {
      onDragEnter: hold,
      onDragOver: hold,
      onDragLeave: () => setIsOver(false),
      onDrop: (event: TargetedDragEvent<HTMLElement>) => {
        const [file] = event.dataTransfer?.files ?? [];
        setIsOver(false);
        if (!file) return;
        event.preventDefault();
        onFile(file);
      },
    },
  };
}
