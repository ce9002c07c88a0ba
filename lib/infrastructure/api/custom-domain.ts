import type { DomainName, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import { type Domain, domainsOf, targetOutput } from '../domain-settings.ts';
import type { Environment } from '../settings.ts';
import { tls } from './api.ts';

export interface CustomDomainProps {
  readonly restApi: RestApi;
  readonly environment: Environment;
  readonly domain: Domain;
  /** Of what it makes below the API. */
  readonly idAtApi: string;
}

/** A name of one's own for the API's stage, with its DNS record where the zone is known. */
export class CustomDomain extends Construct {
  readonly domainName: DomainName;
  /** The id of the output that says to what its CNAME leads. */
  readonly targetOutput: string;

  constructor(scope: Construct, id: string, { restApi, environment, domain, idAtApi }: CustomDomainProps) {
    super(scope, id);
    this.targetOutput = targetOutput(environment, domain);
    this.domainName = restApi.addDomainName(idAtApi, {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      ...tls(environment),
    });
    if (domain.hostedZone) {
      new CfnRecordSet(this, 'Record', {
        hostedZoneId: domain.hostedZone.id,
        name: domain.name,
        type: 'A',
        aliasTarget: {
          dnsName: this.domainName.domainNameAliasDomainName,
          hostedZoneId: this.domainName.domainNameAliasHostedZoneId,
        },
      });
    }
  }
}

/**
 * An environment's names. What is made of `customDomain` has the ids that it always had, what is made of one of
 * `customDomains` has its name in them: so one can go while the other stays.
 */
export const addCustomDomains = (
  scope: Construct,
  restApi: RestApi,
  environment: Environment,
): readonly CustomDomain[] =>
  domainsOf(environment).map((domain) => {
    const suffix = domain === environment.customDomain ? '' : `-${domain.name}`;
    const idAtApi = `CustomDomain${suffix}`;
    return new CustomDomain(scope, `Domain${suffix}`, { restApi, environment, domain, idAtApi });
  });
