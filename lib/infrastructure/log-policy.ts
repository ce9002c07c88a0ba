import { RemovalPolicy } from 'aws-cdk-lib';

/** What becomes of a log when its stack goes; of a stack that could not be made none stays. Its lines end by its retention all the same. */
export const logPolicy = (isKept: boolean): RemovalPolicy =>
  isKept ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
