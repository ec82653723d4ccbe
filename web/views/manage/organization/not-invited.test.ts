import { expect, it } from 'vitest';
import { CallFailure } from '../../../api/index.ts';
import { notInvited } from './not-invited.ts';

const failed = (extra: object) => new CallFailure('refused', { code: 'INVITATION_FAILED', status: 400, extra });

it('names the addresses that were left out where the others were invited', () => {
  const errors = [
    ['mia@roost.test', 'Already has an account.', false],
    ['max@roost.test', 'Account has been deactivated.', true],
  ];
  expect(notInvited(failed({ errors, sent_invitations: true }))).toEqual(['mia@roost.test', 'max@roost.test']);
  expect(notInvited(failed({ errors: [null, 'x', [7]], sent_invitations: true }))).toEqual([]);
});

it('names nobody where nobody was invited', () => {
  for (const error of [failed({ errors: [], sent_invitations: false }), failed({}), new Error('away')])
    expect(notInvited(error)).toBeUndefined();
});
