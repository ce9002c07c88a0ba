// A CDK app in which the service stands, under the rules of AWS Solutions: without any feature flag, and with every setting.
const { App, Stack, Validations } = require('aws-cdk-lib');
const { AwsSolutionsChecks } = require('cdk-nag');
const { ContactService } = require('contact-request-and-campaign-service');

const [settings, env] = process.argv.slice(2).map((argument) => JSON.parse(argument));
const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const stack = new Stack(app, 'Checked', { env });
new ContactService(stack, 'Contact', settings);
app.synth();
