import { z } from 'zod';
import type { Schema } from './shapes.ts';

const SAFE = Number.MAX_SAFE_INTEGER;

/** The JSON Schema (2020-12) of a shape, without the bounds that every integer has anyway. */
export function toJsonSchema(schema: Schema): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === SAFE) delete jsonSchema.maximum;
      if (jsonSchema.minimum === -SAFE) delete jsonSchema.minimum;
    },
  });
  return rest;
}
