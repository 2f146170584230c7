import { CallFailure, type Client } from '@comanda/client/core';
import { menuPictures } from '@comanda/contracts/rules';
import { useEffect, useRef, useState } from 'preact/hooks';
import { managerFailureWords, managerMessages } from '../messages.ts';
import { isHeic, shrinkPicture } from './shrink-picture.ts';

type Options = { client: Client; /** Called with the picture's address. */ onUploaded: (imageUrl: string) => void };

/** Uploads one picture at a time: the last one that was selected. The upload is cancelled when the form is closed. */
export function usePictureUpload({ client, onUploaded }: Options) {
  const [isUploading, setIsUploading] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const runningRef = useRef<AbortController>(null);
  useEffect(() => () => runningRef.current?.abort(), []);

  async function upload(chosen: Blob): Promise<void> {
    runningRef.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    runningRef.current = controller;
    setIsUploading(true);
    setFailure(null);
    try {
      const file = await shrinkPicture(chosen);
      signal.throwIfAborted();
      const { image_url: imageUrl } = await send(client, file, signal);
      onUploaded(imageUrl);
    } catch (error) {
      if (signal.aborted) return;
      setFailure(error);
    }
    if (!signal.aborted) setIsUploading(false);
  }
  return { upload, isUploading, error: failure === null ? null : wordsOf(failure) };
}

function send(client: Client, file: Blob, signal: AbortSignal) {
  // The server would reject a HEIC file, so it isn't sent.
  if (isHeic(file)) throw new Heic();
  if (file.size > menuPictures.maxMegabytes * 1024 * 1024) throw new TooLarge();
  return client.calls.addMenuPicture({ file }, { signal });
}

class TooLarge extends Error {}
class Heic extends Error {}

function wordsOf(failure: unknown): string {
  const words = managerMessages().dish.pictureRefused;
  if (failure instanceof TooLarge) return words.body_too_large;
  if (failure instanceof Heic) return words.heic;
  if (failure instanceof CallFailure && failure.is('picture_invalid')) return words[failure.problem.reason];
  if (failure instanceof CallFailure && failure.is('body_too_large') && !failure.problem)
    return words.tooLargeInBetween;
  const code = failure instanceof CallFailure ? failure.code : '';
  if (code === 'body_too_large' || code === 'unsupported_media_type' || code === 'too_many_pictures')
    return words[code];
  const { happened, toDo } = managerFailureWords(failure);
  return `${happened} ${toDo}`;
}
