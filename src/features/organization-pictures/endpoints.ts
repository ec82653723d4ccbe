import { administrators, endpoint, file, json } from '#kernel/endpoint';
import { ImageCorrupt, ImageFormatInvalid, ImageTooLarge, ImageUndecodable } from '#kernel/images';
import { bool, str } from '#kernel/schema';
import { PictureTooLarge } from '#features/pictures';
import { type PictureName, removePicture, setPicture } from './actions.ts';
import { OneIcon, OneLogo } from './errors.ts';

const SOURCE = 'protocol/organizations#pictures';
const FAULTS = [PictureTooLarge, ImageFormatInvalid, ImageUndecodable, ImageTooLarge, ImageCorrupt];
const picture = file('The picture, as the one file part of the form.');
const night = json(bool(), 'Whether the logo is the one for dark themes.');
const logoName = (isNight: boolean): PictureName => (isNight ? 'night_logo' : 'logo');

const uploadIcon = endpoint({
  id: 'upload-organization-icon',
  method: 'POST',
  path: '/realm/icon',
  source: SOURCE,
  doc: "Changes the organization's icon.",
  who: administrators,
  params: { file: picture },
  returns: { icon_url: str() },
  fails: [OneIcon, ...FAULTS],
  async run({ actor, params, context }) {
    return { icon_url: await setPicture(context, actor, 'icon', params.file) };
  },
});

const deleteIcon = endpoint({
  id: 'delete-organization-icon',
  method: 'DELETE',
  path: '/realm/icon',
  source: SOURCE,
  doc: "Deletes the organization's icon.",
  who: administrators,
  params: {},
  returns: { icon_url: str() },
  async run({ realm, context }) {
    return { icon_url: await removePicture(context, realm, 'icon') };
  },
});

const uploadLogo = endpoint({
  id: 'upload-organization-logo',
  method: 'POST',
  path: '/realm/logo',
  source: SOURCE,
  doc: "Changes the organization's logo.",
  who: administrators,
  params: { night, file: picture },
  returns: {},
  fails: [OneLogo, ...FAULTS],
  async run({ actor, params, context }) {
    await setPicture(context, actor, logoName(params.night), params.file);
    return {};
  },
});

const deleteLogo = endpoint({
  id: 'delete-organization-logo',
  method: 'DELETE',
  path: '/realm/logo',
  source: SOURCE,
  doc: "Deletes the organization's logo.",
  who: administrators,
  params: { night },
  returns: {},
  async run({ realm, params, context }) {
    await removePicture(context, realm, logoName(params.night));
    return {};
  },
});

export const organizationPictureEndpoints = [uploadIcon, deleteIcon, uploadLogo, deleteLogo];
