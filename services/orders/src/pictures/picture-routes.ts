import * as contracts from '@comanda/contracts/menu-pictures';
import { problem } from '@comanda/contracts/problem';
import { menuPictures } from '@comanda/contracts/rules';
import type { Api } from '@comanda/shared/http/api';
import { isUnchanged } from '@comanda/shared/http/entity-tag';
import { addPicture, type AddPictureDeps } from './add-picture.ts';

const yearS = 365 * 24 * 3600;

export function registerPictureRoutes({ handle }: Pick<Api, 'handle'>, deps: AddPictureDeps): void {
  handle(contracts.addMenuPicture, async (call) => {
    const { imageUrl, isNew } = await addPicture(deps, call);
    const body = { image_url: imageUrl };
    return isNew ? { status: 201, body, headers: { Location: imageUrl } } : { status: 200, body };
  });
  handle(contracts.getMenuPicture, async ({ params: { picture }, query, header }) => {
    const size = query.width === menuPictures.widths.small ? 'small' : 'large';
    const headers = {
      ETag: `"${picture}-${size}"`,
      'Cache-Control': `public, max-age=${yearS}, immutable`,
      'Content-Disposition': 'inline',
    };
    const file = await deps.pictures.find(picture, size);
    if (!file) throw problem('not_found');
    const isCached = isUnchanged(header('If-None-Match'), headers.ETag);
    return isCached ? { status: 304, headers } : { status: 200, file, headers };
  });
}
