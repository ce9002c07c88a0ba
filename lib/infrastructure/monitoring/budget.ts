import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';

/** When to mail: at so many percent of the budget, of what was spent or of what the month is expected to come to. */
const notifications = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
];

export interface BudgetProps {
  /** US dollars. */
  readonly monthlyBudget: number;
  readonly emails: readonly string[];
}

/**
 * Mails when the account's bill comes near a monthly budget. Of the whole account: a budget by tag counts nothing before
 * somebody has activated the tag in the billing settings, and does not say so.
 * https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/activating-tags.html
 */
export class Budget extends Construct {
  constructor(scope: Construct, id: string, { monthlyBudget, emails }: BudgetProps) {
    super(scope, id);
    new CfnBudget(this, 'Budget', {
      // Without a name: other addresses are a new budget, which could not have the name of the old one.
      budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount: monthlyBudget, unit: 'USD' } },
      notificationsWithSubscribers: notifications.map((notification) => ({
        notification: { ...notification, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
        subscribers: emails.map((address) => ({ subscriptionType: 'EMAIL', address })),
      })),
    });
  }
}
