import * as v from 'valibot';
import { noEffect } from './properties.ts';
import { type ReadResources, readOnlyOne } from './resources.ts';

/** How many requests a second a method takes, and how many may come at once. */
export interface ThrottleSettings {
  readonly rate: number;
  readonly burst: number;
}

const stageSchema = v.strictObject({
  AccessLogSetting: noEffect,
  DeploymentId: noEffect,
  Description: noEffect,
  MethodSettings: v.optional(
    v.array(
      v.strictObject({
        CachingEnabled: v.optional(v.literal(false)),
        DataTraceEnabled: noEffect,
        HttpMethod: v.string(),
        LoggingLevel: noEffect,
        MetricsEnabled: noEffect,
        ResourcePath: v.string(),
        ThrottlingBurstLimit: v.optional(v.number()),
        ThrottlingRateLimit: v.optional(v.number()),
      }),
    ),
    [],
  ),
  RestApiId: noEffect,
  StageName: v.string(),
  Tags: noEffect,
  TracingEnabled: noEffect,
  Variables: v.optional(v.record(v.string(), v.string())),
});

/** The API's one stage. */
export type Stage = v.InferOutput<typeof stageSchema>;

/** Reads the template's stage. */
export const readStage = (read: ReadResources): Stage =>
  readOnlyOne(read, 'AWS::ApiGateway::Stage', stageSchema).properties;

/** A method's throttle: its own, else its resource's, else the stage's. */
export const throttleOf = (
  { MethodSettings }: Stage,
  resourcePath: string,
  httpMethod: string,
): ThrottleSettings | undefined => {
  // As CloudFormation writes it: a slash, then the path with its own slashes escaped.
  const escapedPath = resourcePath === '/' ? '/' : `/${resourcePath.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const candidates = [
    [escapedPath, httpMethod],
    [escapedPath, '*'],
    ['/*', '*'],
  ];
  for (const [ResourcePath, HttpMethod] of candidates) {
    const found = MethodSettings.find(
      (entry) => entry.ResourcePath === ResourcePath && entry.HttpMethod === HttpMethod,
    );
    const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = found ?? {};
    if (rate !== undefined && burst !== undefined) return { rate, burst };
  }
  return undefined;
};
