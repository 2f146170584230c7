import { pictureTypes } from '@comanda/contracts/rules';
import { Button } from '@comanda/ui/button.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { useId, useRef } from 'preact/hooks';
import { managerMessages } from '../messages.ts';
import './picture-field.css';
import type { usePictureUpload } from './use-picture-upload.ts';

type PictureUploadProps = {
  upload: ReturnType<typeof usePictureUpload>;
  /** True if there is an uploaded picture to remove. */
  hasPicture: boolean;
  hint: string;
  /** Why the picture could not be saved. */
  refusal: string | undefined;
  onRemove: () => void;
};

/** Buttons to upload a picture and to remove it, with the upload's progress and errors. */
export function PictureUpload({
  upload: { upload, isUploading, error: failed },
  hasPicture,
  hint,
  refusal,
  onRemove,
}: PictureUploadProps) {
  const words = managerMessages().dish;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const error = failed ?? refusal ?? null;
  return (
    <div class="row wrap picture-field-actions">
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
      {hasPicture && (
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
        {isUploading ? words.pictureUploading : hint}
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
  );
}
