import type { DomainName, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import { type Domain, targetOutput } from '../domain-settings.ts';
import type { Environment } from '../settings.ts';
import { tls } from './api.ts';

export interface CustomDomainProps {
  readonly restApi: RestApi;
  readonly environment: Environment;
  readonly domain: Domain;
}

/** A custom domain for the API's stage, with its DNS record if the zone is known. */
export class CustomDomain extends Construct {
  readonly domainName: DomainName;
  /** The id of the output with its CNAME's target. */
  readonly targetOutput: string;

  constructor(scope: Construct, id: string, { restApi, environment, domain }: CustomDomainProps) {
    super(scope, id);
    this.targetOutput = targetOutput(domain);
    this.domainName = restApi.addDomainName(`CustomDomain-${domain.name}`, {
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

/** An environment's custom domains. Their ids hold their names, so that one can go while the other stays. */
export const addCustomDomains = (
  scope: Construct,
  restApi: RestApi,
  environment: Environment,
): readonly CustomDomain[] =>
  environment.customDomains.map(
    (domain) => new CustomDomain(scope, `Domain-${domain.name}`, { restApi, environment, domain }),
  );
