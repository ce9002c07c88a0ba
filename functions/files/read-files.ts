import { createHash } from 'node:crypto';
import type { SentFile } from '../http/body.ts';
import type { FieldError } from '../http/errors.ts';
import type { NewFile } from './file.ts';
import { fileNameOf, visibleName } from './file-name.ts';
import { mediaTypeOf, typeLabels } from './media-type.ts';
import type { FileTypeName } from './type-names.ts';

/** What a form accepts. */
export interface AcceptedFiles {
  readonly max: number;
  readonly types: readonly FileTypeName[];
}

export interface FilesInput {
  /** The name of the first file input. */
  readonly field: string;
  readonly files: readonly NewFile[];
  /** Identifies the files, in their order. */
  readonly hash: string;
  readonly errors: readonly FieldError[];
}

const readFile = ({ field, name, content }: SentFile, types: readonly FileTypeName[]): NewFile | FieldError => {
  if (content.length === 0) return { field, code: 'empty_file' };
  const visible = visibleName(name);
  const type = mediaTypeOf(content, visible);
  if (type === undefined || !types.includes(type.name))
    return { field, code: 'file_type', types: types.map((each) => typeLabels[each]) };
  return {
    name: fileNameOf(visible, type.extensions),
    type: type.mediaType,
    size: content.length,
    content,
    sha256: createHash('sha256').update(content).digest('hex'),
  };
};

const hashOf = (files: readonly NewFile[]): string =>
  createHash('sha256')
    .update(JSON.stringify(files.map(({ name, size, sha256 }) => [name, size, sha256])))
    .digest('base64url');

/** Checks what came as files. At most one error for each file input. */
export const readFiles = (sent: readonly SentFile[], { max, types }: AcceptedFiles): FilesInput => {
  const [{ field = '' } = {}] = sent;
  if (sent.length > max) return { field, files: [], hash: '', errors: [{ field, code: 'too_many_files', limit: max }] };
  const read = sent.map((file) => readFile(file, types));
  const files = read.filter((each) => 'content' in each);
  const errors = read.filter((each) => 'code' in each);
  return {
    field,
    files,
    hash: hashOf(files),
    errors: errors.filter((error, at) => errors.findIndex((other) => other.field === error.field) === at),
  };
};
