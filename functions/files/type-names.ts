/** The types of files that a form can accept, as the setting `files.types` names them. */
export const fileTypeNames = [
  'pdf',
  'png',
  'jpeg',
  'gif',
  'webp',
  'heic',
  'office',
  'opendocument',
  'zip',
  'text',
] as const;

export type FileTypeName = (typeof fileTypeNames)[number];
