import { Buffer } from 'node:buffer';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import type { Service } from './service.ts';

/** A PDF, as far as its first bytes tell. */
export const pdf = (name: string, size: number) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(size, name)], size),
});

/** The smallest GIF. */
export const gif = (name: string) => ({
  name,
  mimeType: 'image/gif',
  buffer: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
});

/** The note of a camera that was held upright: the picture has to be turned by 90 degrees clockwise. EXIF 2.32, section 4.5. */
const upright = Buffer.from(
  '\xff\xe1\0\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0',
  'latin1',
);

/** A photo as a phone takes it: red on the left and blue on the right, so red above blue once it is turned; with much noise. */
export const photo = async (page: Page, name: string, width: number, height: number, quality = 0.9) => {
  const base64: string = await page.locator('html').evaluate(
    async (html, [width, height, quality]) => {
      const { ImageData, OffscreenCanvas, btoa } = html.ownerDocument.defaultView;
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      const pixels = new ImageData(width, height);
      let noise = 1;
      for (let at = 0; at < pixels.data.length; at += 4) {
        const isLeft = (at / 4) % width < width / 2;
        noise = (noise * 48_271) % 2_147_483_647;
        pixels.data.set([isLeft ? 190 + (noise % 64) : noise % 64, noise % 64, isLeft ? noise % 64 : 190, 255], at);
      }
      context.putImageData(pixels, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    },
    [width, height, quality] as const,
  );
  const plain = Buffer.from(base64, 'base64');
  return {
    name,
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([plain.subarray(0, 2), upright, plain.subarray(2)]),
  };
};

/** The size of a picture as a viewer shows it, and the colours of its upper and lower half. */
export const look = (page: Page, picture: Buffer) =>
  page.locator('html').evaluate(async (html, base64) => {
    const { Blob, OffscreenCanvas, atob, createImageBitmap } = html.ownerDocument.defaultView;
    const bytes = Uint8Array.from(atob(base64), (character: string) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const colourAt = (y: number): 'red' | 'blue' => {
      const [red = 0, , blue = 0] = context.getImageData(width / 2, y, 1, 1).data;
      return red > blue ? 'red' : 'blue';
    };
    return { width, height, above: colourAt(height / 4), below: colourAt((height * 3) / 4) };
  }, picture.toString('base64'));

const listed = v.array(v.looseObject({ id: v.string() }));

const detailed = v.object({
  files: v.optional(v.array(v.object({ name: v.string(), type: v.string(), size: v.number(), url: v.string() })), []),
});

/** The files of each stored contact request with a text in any field, as a staff script fetches them. */
export const filesStoredBy = async ({ apiUrl, staffToken }: Service, text: string, options = '') => {
  const headers = { Authentication: staffToken };
  const list = await fetch(`${apiUrl}/api/v1/contact?limit=200${options}`, { headers });
  const found = v.parse(listed, await list.json()).filter((contact) => JSON.stringify(contact).includes(text));
  return Promise.all(
    found.map(async ({ id }) => {
      const response = await fetch(`${apiUrl}/api/v1/contact/${id}`, { headers });
      const { files } = v.parse(detailed, await response.json());
      return Promise.all(
        files.map(async ({ name, type, url }) => ({
          name,
          type,
          content: Buffer.from(await (await fetch(url)).arrayBuffer()),
        })),
      );
    }),
  );
};
