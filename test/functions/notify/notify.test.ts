import { expect, it } from 'vitest';
import type { Notification } from '../../../functions/notify/notification.ts';
import { minimal } from '../../support/contacts.ts';
import { done, startNotified } from '../../support/notifications.ts';

it('tells a contact request as endpoint 3 answers it', async () => {
  const told: Notification[] = [];
  const { contacts, posted, deliver } = await startNotified({
    tell: () => async (notification) => {
      told.push(notification);
    },
  });
  const { id, record } = await posted({ ...minimal, phone: '555 0100', budget: ['1', '2'] });
  expect(await deliver(record)).toStrictEqual(done);
  const answer = await contacts.get({ pathParameters: { id } });
  expect(told).toStrictEqual([
    {
      id: `${id}-1772366400000`,
      type: 'contact.created',
      timestamp: '2026-03-01T12:00:00.000Z',
      contact: answer.body,
    },
  ]);
});
