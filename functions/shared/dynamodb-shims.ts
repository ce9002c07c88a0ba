/** In place of the protocol and the endpoint rules of the SDK's DynamoDB client. */
export {
  dynamoDbProtocol as AwsJson1_0Protocol,
  endpointProvider as defaultEndpointResolver,
} from './dynamodb-protocol.ts';

/** Replaces the codec of the SDK's protocol. */
export class DynamoDBJsonCodec2 {}
