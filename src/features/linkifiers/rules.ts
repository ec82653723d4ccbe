import { OrderDuplicates, OrderIncomplete } from './errors.ts';

/** Throws unless an order names all linkifiers, each once. See protocol/linkifiers#changing. */
export function assertOrder(known: readonly number[], wanted: readonly number[]): void {
  const names = new Set(wanted);
  if (names.size !== wanted.length) throw OrderDuplicates();
  if (names.size !== known.length || !known.every((id) => names.has(id))) throw OrderIncomplete();
}
