import Joi from 'joi';
import { endpoint, manager } from './endpoint.ts';
import { pictureUrl } from './picture-address.ts';
import { menuPictures, pictureTypes } from './rules.ts';
import { component, object, optional, text } from './schema.ts';

const { widths, maxMegabytes, maxMegapixels, maxAvifMegapixels, maxUnused } = menuPictures;
const exampleId = '0c86bdb2c6f8a64b0d4d1a7b3d1d5b6f4cf2c3bb8b7d7a0f7d4e9d0d6d3c1f2a';
/** Creates a schema for the hexadecimal SHA-256 of a stored picture. */
const pictureId = () =>
  Joi.string()
    .pattern(/^[0-9a-f]{64}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be 64 hexadecimal digits in lower case' })
    .example(exampleId);
const uploadedPicture = component('UploadedPicture', object({ image_url: text(255).example(pictureUrl(exampleId)) }));

export const addMenuPicture = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/menu-pictures',
  name: 'addMenuPicture',
  who: manager,
  summary: 'Upload a picture of a dish, or the logo',
  details: `The body is the file: ${pictureTypes.map((type) => `\`${type}\``).join(', ')}, at most ${maxMegabytes} MB and ${maxMegapixels} megapixels (AVIF: ${maxAvifMegapixels}), with one frame. It is stored as WebP, at most ${widths.large} pixels wide, upright and without its metadata, such as the place where it was taken. Then set it as the \`image_url\` of a dish (\`PUT /menu/{id}\`), or as the \`logo\` of the restaurant (\`PUT /restaurant\`). A query in that URL, such as a width, is removed. Uploading the same picture again stores nothing new. Of the pictures that neither a dish nor the logo uses, the newest ${maxUnused} are kept.`,
  upload: { types: pictureTypes, maxMegabytes },
  responses: {
    200: { about: 'The picture was stored before', body: uploadedPicture },
    201: { about: 'The picture is stored', body: uploadedPicture, headers: ['Location'] },
  },
  problems: ['picture_invalid', 'too_many_pictures'],
});

const fileHeaders = ['ETag', 'Cache-Control', 'Content-Disposition'] as const;
export const getMenuPicture = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/menu-pictures/{picture}',
  name: 'getMenuPicture',
  who: 'anyone',
  limit: 'files',
  summary: 'Get an uploaded picture of a dish',
  details: 'The picture never changes, so you may cache it for a year.',
  params: { picture: pictureId() },
  query: { width: optional(Joi.number().valid(widths.small, widths.large)) },
  exampleNeeds: 'a picture',
  responses: {
    200: {
      about: `The picture, ${widths.large} pixels wide unless \`width\` says ${widths.small}; narrower if the file was`,
      body: null,
      file: 'image/webp',
      headers: fileHeaders,
    },
    304: { about: 'You already have it: the `ETag` is in `If-None-Match`', body: null, headers: fileHeaders },
  },
  problems: ['not_found'],
});

export const pictures = [addMenuPicture, getMenuPicture];
