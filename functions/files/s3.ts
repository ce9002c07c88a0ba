import { partition } from '@aws-sdk/core/client';
import { HttpRequest } from '@smithy/core/protocols';
import { endpointOf, regionOf, signerOf, unsignedRequest } from './aws-call.ts';

/** An object: its bucket, and its key, of characters that need no escape. */
export interface ObjectId {
  readonly bucket: string;
  readonly key: string;
}

/** An endpoint that is set has the bucket in its path; otherwise the bucket's own host follows from the region. */
const urlAt = (endpoint: string | undefined, { bucket, key }: ObjectId): URL =>
  new URL(
    endpoint === undefined
      ? `https://${bucket}.s3.${regionOf()}.${partition(regionOf()).dnsSuffix}/${key}`
      : `${endpoint.replace(/\/$/, '')}/${bucket}/${key}`,
  );

export const urlOf = (object: ObjectId): URL => urlAt(endpointOf('s3'), object);

/**
 * A URL by which anyone can get an object: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 * @param expiresIn seconds
 */
export const signedUrl = async (object: ObjectId, now: Date, expiresIn: number): Promise<string> => {
  // Clients may reach an endpoint elsewhere than functions do.
  const url = urlAt(process.env['PUBLIC_ENDPOINT_URL_S3'] ?? endpointOf('s3'), object);
  // It becomes a parameter, whose name S3 writes so.
  const request = unsignedRequest('GET', url, { 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' });
  const { query } = new HttpRequest(await signerOf('s3').presign(request, { signingDate: now, expiresIn }));
  // As the signature has them: `URLSearchParams` would write a blank as a plus sign.
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return `${url.href}?${parameters.join('&')}`;
};
