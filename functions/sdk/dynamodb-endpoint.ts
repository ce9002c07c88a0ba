import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { partition } from '@aws-sdk/core/client';

type EndpointProvider = NonNullable<DynamoDBClientConfig['endpointProvider']>;

/** A fixed endpoint, or the region's. The SDK's rules also support account ids, FIPS and dual stack, which nothing here uses. */
export const endpointProvider: EndpointProvider = ({ Endpoint, Region = '' }) => ({
  url: new URL(Endpoint ?? `https://dynamodb.${Region}.${partition(Region).dnsSuffix}`),
});

/** The name in the replaced module. */
export const defaultEndpointResolver = endpointProvider;
