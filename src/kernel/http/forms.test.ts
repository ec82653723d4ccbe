import { describe, expect, it } from 'vitest';
import { readForm } from './forms.ts';

const MIB = 2 ** 20;

async function fieldsOf(body: string | Buffer): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  await readForm(Buffer.from(body), fields);
  return fields;
}

/** How many turns of the event loop other work got while a form was read. */
async function turnsOf(body: string): Promise<number> {
  let [turns, isDone] = [0, false];
  const count = () => {
    if (isDone) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  await fieldsOf(body);
  isDone = true;
  return turns;
}

describe('a long form', () => {
  const long = 'é+%2B%c3%A9%zz%F0%9F%98%80 '.repeat(40_000);

  it('is parsed like a short one, wherever its parts end', async () => {
    for (const shift of ['', 'a', 'ab', 'abc']) {
      const fields = await fieldsOf(`a=1&n=${shift}${long}&b&c=+&`);
      expect(fields.get('n') === shift + 'é +é%zz😀 '.repeat(40_000)).toBe(true);
      expect([...fields.keys(), fields.get('b'), fields.get('c')]).toEqual(['a', 'n', 'b', 'c', '', ' ']);
    }
    const cut = `${'x'.repeat(300_000)}%`;
    expect((await fieldsOf(`a=${cut}`)).get('a') === cut).toBe(true);
  });

  it('is refused if it is not UTF-8', async () => {
    for (const end of [Buffer.from([0xc3]), Buffer.from('%C3'), Buffer.from([0xff])])
      await expect(fieldsOf(Buffer.concat([Buffer.from(`a=${long}`), end]))).rejects.toThrow(/./);
    await expect(fieldsOf(`${'a=1&'.repeat(2_001)}b=${long}`)).rejects.toThrow(/./);
  });

  it('does not block other work, whether it has one field or many (security#what-one-request-may-cost)', async () => {
    expect(await turnsOf(`a=${'+'.repeat(4 * MIB)}`)).toBeGreaterThan(10);
    expect(await turnsOf(`a=${'+'.repeat(4_000)}&`.repeat(1_000))).toBeGreaterThan(100);
  });
});
