import { pictureIdOf, withoutSize } from '@comanda/contracts/picture-address';
import { problem } from '@comanda/contracts/problem';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Dish } from './menu-item.ts';

export type CheckPictureDeps = {
  pictures: {
    isStored: (id: string) => Promise<boolean>;
    keep: (id: string, session: Session) => Promise<boolean>;
  };
};
/** `before` is null for a new dish. */
type Asked = { before: Pick<Dish, 'imageUrl'> | null; imageUrl: string | null | undefined };

/**
 * A dish gets an uploaded picture only while it is stored: of those that no dish shows, the next uploads remove the oldest, also
 * while a form that has one is open. What a dish has already may stay, because a restored menu may lack its pictures.
 * With the session of the transaction that writes the dish, it is also kept from a removal of the same moment.
 * @throws 422 `unprocessable_content`
 */
export async function checkPicture(
  { pictures }: CheckPictureDeps,
  { before, imageUrl }: Asked,
  session?: Session,
): Promise<void> {
  const address = withoutSize(imageUrl ?? null);
  const id = pictureIdOf(address);
  if (id === null || address === withoutSize(before?.imageUrl ?? null)) return;
  if (await (session ? pictures.keep(id, session) : pictures.isStored(id))) return;
  const detail = 'This picture is not stored any more. Upload it again with POST /menu-pictures.';
  throw problem('unprocessable_content', { errors: [{ pointer: '/image_url', detail }] });
}
