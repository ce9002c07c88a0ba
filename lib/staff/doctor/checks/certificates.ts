import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { APIGatewayClient, GetDomainNameCommand, NotFoundException } from '@aws-sdk/client-api-gateway';
import { type Check, type Finding, wrong } from '../check.ts';
import type { Deployment } from '../deployment.ts';

/** ACM renews 60 days before the end: https://docs.aws.amazon.com/acm/latest/userguide/managed-renewal.html */
const tooFew = 30;

const day = 24 * 60 * 60 * 1000;

const lookAt = async (domain: string, deployment: Deployment): Promise<Finding[]> => {
  const { stack, client, aws, now } = deployment;
  const told = await client(APIGatewayClient)
    .send(new GetDomainNameCommand({ domainName: domain }))
    .catch((error: unknown) => {
      if (error instanceof NotFoundException) return undefined;
      throw error;
    });
  if (!told)
    return [wrong(`API Gateway does not know the domain ${domain}.`, `npx cdk deploy ${stack} --revert-drift`)];
  const { regionalCertificateArn: arn, domainNameStatus: state } = told;
  const findings: Finding[] = [];
  if (state !== undefined && state !== 'AVAILABLE') {
    findings.push(
      wrong(
        `The domain ${domain} is in the state ${state}.`,
        aws(`apigateway get-domain-name --domain-name ${domain}`),
      ),
    );
  }
  if (arn === undefined) return findings;
  const { Certificate: certificate } = await client(ACMClient).send(
    new DescribeCertificateCommand({ CertificateArn: arn }),
  );
  const { Status: status, NotAfter: end, RenewalSummary: renewal } = certificate ?? {};
  const show = aws(`acm describe-certificate --certificate-arn ${arn}`);
  const remedy = `https://docs.aws.amazon.com/acm/latest/userguide/troubleshooting-renewal.html; ${show}`;
  const days = end === undefined ? undefined : Math.floor((end.getTime() - now().getTime()) / day);
  if (status !== 'ISSUED') findings.push(wrong(`The certificate of ${domain} is in the state ${status}.`, show));
  else if (days !== undefined && days < tooFew) {
    findings.push(
      wrong(
        days < 0
          ? `The certificate of ${domain} has expired.`
          : `The certificate of ${domain} ends in ${days} days and has not been renewed.`,
        remedy,
      ),
    );
  } else if (renewal?.RenewalStatus === 'PENDING_VALIDATION' || renewal?.RenewalStatus === 'FAILED') {
    findings.push(wrong(`The certificate of ${domain} cannot be renewed (${renewal.RenewalStatus}).`, remedy));
  }
  return findings;
};

/** Whether each domain of the API has a certificate that goes on. */
export const certificates: Check = {
  name: 'certificates',
  actions: ['apigateway:GET', 'acm:DescribeCertificate'],
  look: async (deployment) => {
    const all = deployment
      .resources('AWS::ApiGateway::DomainName')
      .map(({ physicalId }) => lookAt(physicalId, deployment));
    return (await Promise.all(all)).flat();
  },
};
