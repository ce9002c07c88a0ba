import { S3Client } from '@aws-sdk/client-s3';

/** A client for functions that no visitor waits for: it takes as long to load as all else together. */
export const createS3Client = (): S3Client =>
  new S3Client({
    // Only AWS itself has a host name for each bucket.
    forcePathStyle: ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'].some((name) => process.env[name] !== undefined),
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  });
