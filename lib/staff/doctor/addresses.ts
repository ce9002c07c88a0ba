import { publicEndpoints } from '../../infrastructure/endpoints.ts';
import type { Deployment } from './deployment.ts';

/** What is behind a base URL where forms post to. */
export const formPath = publicEndpoints.map(({ path }) => path).join();

/** Every URL under which the API is to answer: those of the outputs, and one for each domain. */
export const baseUrlsOf = ({ outputs, resources }: Deployment): readonly string[] => {
  const told = [outputs['BaseUrl'], outputs['DefaultUrl']].flatMap((url) => (url === undefined ? [] : [url]));
  const domains = resources('AWS::ApiGateway::DomainName').map(({ physicalId }) => `https://${physicalId}`);
  return [...new Set([...told, ...domains])];
};
