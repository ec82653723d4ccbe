import { describe, expect, it } from 'vitest';
import { CallFailure } from '../../api/index.ts';
import { meantField } from './meant-field.ts';

const FIELDS = new Map([
  ['name', /already exists/],
  ['description', undefined],
]);
const refused = (message: string, facts: { code?: string; extra?: object } = {}) =>
  new CallFailure('refused', { code: 'BAD_REQUEST', status: 400, message, ...facts });

describe('the field that a refusal is about', () => {
  it.each([
    ['its code is about', refused('Channel exists', { code: 'CHANNEL_ALREADY_EXISTS' }), 'name'],
    ['it names as the parameter', refused('Bad value', { extra: { var_name: 'description' } }), 'description'],
    ['it has a fault of', refused('Enter a name', { extra: { errors: { description: ['x'] } } }), 'description'],
    ['its sentence begins with', refused('description is too long'), 'description'],
    ['its sentence is known to be about', refused("User group 'x' already exists."), 'name'],
  ])('is the one that %s', (_how, error, field) => expect(meantField(error, FIELDS, [])).toBe(field));

  it('is the only one that was changed, or the only one there is', () => {
    expect(meantField(refused('Not like this'), FIELDS, ['description'])).toBe('description');
    expect(meantField(refused('Not like this'), FIELDS, ['description', 'name'])).toBeUndefined();
    expect(meantField(refused('Not like this'), new Map([['name', undefined]]), [])).toBe('name');
  });

  it('is none where the refusal is about the asker, the whole form, or nothing that was typed', () => {
    expect(meantField(refused('Slower', { code: 'RATE_LIMIT_HIT' }), FIELDS, ['name'])).toBeUndefined();
    expect(
      meantField(refused('Must be an owner', { code: 'UNAUTHORIZED_PRINCIPAL' }), FIELDS, ['name']),
    ).toBeUndefined();
    expect(meantField(refused('Not like this'), FIELDS, ['isDefault'])).toBeUndefined();
    const away = new CallFailure('away', { code: 'TIMEOUT', status: 0, message: 'name' });
    expect(meantField(away, FIELDS, ['name'])).toBeUndefined();
    expect(meantField(new Error('name'), FIELDS, ['name'])).toBeUndefined();
  });
});
