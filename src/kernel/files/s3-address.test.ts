import { describe, expect, it } from 'vitest';
import { systemClock as clock } from '#kernel/clock';
import { openFiles } from './index.ts';
import { parseS3Address } from './s3-address.ts';

const handedIn = { accessKeyId: 'id', secretAccessKey: 'secret' };

describe('the URL of an object store', () => {
  it('names bucket, endpoint and region', () => {
    expect(parseS3Address('s3://files?endpoint=https://store.test:8333&region=eu-1', handedIn)).toEqual({
      ...handedIn,
      endpoint: 'https://store.test:8333/files',
      region: 'eu-1',
      prefix: '',
    });
  });

  it('may name folders that every object lies in', () => {
    expect(parseS3Address('s3://files//team/a%20b?region=x', handedIn).prefix).toBe('team/a b/');
  });

  it("is Amazon's without an endpoint", () => {
    expect(parseS3Address('s3://files', handedIn).endpoint).toBe('https://s3.us-east-1.amazonaws.com/files');
  });

  it('may carry the credentials, which go before those handed in', () => {
    expect(parseS3Address('s3://key:a%2Fb@files', handedIn)).toMatchObject({
      accessKeyId: 'key',
      secretAccessKey: 'a/b',
    });
  });

  it.each([
    ['s3:files', 'not the URL of an object store'],
    ['s3://', 'not the URL of an object store'],
    ['https://files', 'not the URL of an object store'],
    ['s3://files?endpoint=store.test', 'must be a plain http or https URL'],
    ['s3://files?endpoint=https://u:hush@store.test', 'must be a plain http or https URL'],
    ['s3://files?regoin=eu-1', 'unknown parameter "regoin"'],
  ])('is refused as %s', (url, reason) => {
    expect(() => parseS3Address(url, handedIn)).toThrow(reason);
  });

  it('is refused without credentials, and never repeated', () => {
    expect(() => parseS3Address('s3://files')).toThrow('needs an access key');
    expect(() => parseS3Address('s3://:hush@files?x=1')).toThrow(expect.not.objectContaining({ message: /hush/ }));
  });
});

describe('the place of files', () => {
  it.each(['ftp://files', 'https://files'])('is refused as %s', async (place) => {
    await expect(openFiles(place, { clock })).rejects.toThrow('files cannot be kept');
  });

  it('opens an object store without asking it', async () => {
    const files = await openFiles('s3://files?endpoint=http://127.0.0.1:9', { clock, credentials: handedIn });
    await expect(files.open('../x')).rejects.toThrow('unsafe file key');
  });
});
