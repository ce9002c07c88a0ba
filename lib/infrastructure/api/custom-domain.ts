import type { DomainName, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import type { Environment } from '../settings.ts';
import { tls } from './api.ts';

export interface CustomDomainProps {
  readonly restApi: RestApi;
  readonly domain: NonNullable<Environment['customDomain']>;
  readonly environment: Environment;
}

/** A name of one's own for the API's stage, with its DNS record where the zone is known. */
export class CustomDomain extends Construct {
  readonly domainName: DomainName;

  constructor(scope: Construct, id: string, { restApi, domain, environment }: CustomDomainProps) {
    super(scope, id);
    this.domainName = restApi.addDomainName('CustomDomain', {
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
