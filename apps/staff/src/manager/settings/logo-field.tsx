import type { Client } from '@comanda/client/core';
import { pictureIdOf } from '@comanda/contracts/picture-address';
import { menuPictures } from '@comanda/contracts/rules';
import { classNames } from '@comanda/ui/class-names.ts';
import { managerMessages } from '../messages.ts';
import { PictureUpload } from '../dishes/picture-upload.tsx';
import { useDrop } from '../dishes/use-drop.ts';
import { usePictureUpload } from '../dishes/use-picture-upload.ts';

type LogoFieldProps = {
  client: Client;
  /** Empty for none. */
  logo: string;
  /** True if the server no longer stores the uploaded picture. */
  isGone: boolean;
  onChange: (logo: string) => void;
};

/** Shows the logo, and lets the manager upload another one. */
export function LogoField({ client, logo, isGone, onChange }: LogoFieldProps) {
  const words = managerMessages();
  const upload = usePictureUpload({ client, onUploaded: onChange });
  const drop = useDrop((file) => void upload.upload(file));
  return (
    <div
      class={classNames('stack gap-2 settings-logo', drop.isOver && 'picture-field-over')}
      role="group"
      aria-label={managerMessages().settings.names.logo}
      aria-busy={upload.isUploading}
      {...drop.handlers}
    >
      <span class="settings-label">{managerMessages().settings.names.logo}</span>
      {logo !== '' && (
        <img
          class="settings-logo-picture"
          src={`${logo}?width=${menuPictures.widths.small}`}
          alt=""
          width="96"
          height="96"
        />
      )}
      {upload.isUploading && <progress aria-label={words.dish.pictureUploading} />}
      <PictureUpload
        upload={upload}
        hasPicture={pictureIdOf(logo) !== null}
        hint={words.settings.logoHint}
        refusal={isGone ? words.dish.pictureRefused.gone : undefined}
        onRemove={() => onChange('')}
      />
    </div>
  );
}
