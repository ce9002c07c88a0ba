import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { createApp } from '../../lib/infrastructure/app.ts';
import { fakeBundles, full, resourcesOf, temporaryFolder, textOf } from './synthesize.ts';

/** With the `context` of a `cdk.json`. */
const stackWith = (context: Readonly<Record<string, unknown>>) =>
  createApp({ full }, fakeBundles(), { outdir: temporaryFolder(), context })
    .synth()
    .getStackByName('ContactService-full');

test('a qualifier selects the roles and the version of that bootstrap', () => {
  const stack = stackWith({ '@aws-cdk/core:bootstrapQualifier': 'acme' });
  expect(stack.assumeRoleArn).toContain(':role/cdk-acme-deploy-role-');
  expect(stack.cloudFormationExecutionRoleArn).toContain(':role/cdk-acme-cfn-exec-role-');
  expect(stack.lookupRole?.arn).toContain(':role/cdk-acme-lookup-role-');
  expect(stack.bootstrapStackVersionSsmParameter).toBe('/cdk-bootstrap/acme/version');
  expect(JSON.stringify(stack.template)).not.toContain('hnb659fds');
});

test('every role gets the permissions boundary', () => {
  const { template } = stackWith({ '@aws-cdk/core:permissionsBoundary': { name: 'developers' } });
  const roles = Object.entries(resourcesOf(Template.fromJSON(template), 'AWS::IAM::Role'));
  expect(roles.length).toBeGreaterThan(7);
  for (const [id, { Properties }] of roles) {
    expect(textOf(Properties.PermissionsBoundary), id).toBe('arn:aws:iam::123456789012:policy/developers');
  }
});
