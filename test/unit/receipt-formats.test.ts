/** The formats of receipts, against the known answers of their specifications. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newSigningKey, type SigningKey } from '../../src/receipts/ed25519.ts';
import { openEnvelope, sealedEnvelope } from '../../src/receipts/envelope.ts';
import { digestOfLine, hashesOfLeaves, hashOfLeaf, saltsOf } from '../../src/receipts/leaf.ts';
import { EntryTree } from '../../src/receipts/move-receipt.ts';
import { openCheckpoint, signedCheckpoint, verifierKeyOf } from '../../src/receipts/note.ts';
import { decodedProof, encodedProof, requireProven } from '../../src/receipts/proof.ts';
import { hashBytes, leafHash, pathOf, rootFromPath, rootOf } from '../../src/receipts/tree.ts';

/** The leaves and roots of Certificate Transparency's reference tests (merkle_tree_test of its first implementation). */
const leaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const hashesOf = (count: number): Buffer =>
  Buffer.concat(leaves.slice(0, count).map((leaf) => leafHash(Buffer.from(leaf, 'hex'))));
/** As RFC 6962 writes it, by recursion. */
function plainRoot(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes;
  if (hashes.length === 1 && only) return only;
  const split = 2 ** Math.floor(Math.log2(hashes.length - 1));
  const node = createHash('sha256').update(Buffer.of(1));
  return node
    .update(plainRoot(hashes.slice(0, split)))
    .update(plainRoot(hashes.slice(split)))
    .digest();
}

describe('the tree', () => {
  it('has the roots of the reference tests of RFC 6962', () => {
    expect(roots.map((_, count) => rootOf(hashesOf(count)).toString('hex'))).toEqual(roots);
  });

  it('has the path of the reference tests for leaf 6 of 8', () => {
    const path = pathOf(hashesOf(8), 5).toString('hex').match(/.{64}/g);
    expect(path).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
  });

  it('is that of the recursive definition, and proves each leaf and no other, for every size up to 70', () => {
    const all = Array.from({ length: 70 }, (_, n) => leafHash(Buffer.of(n)));
    for (let size = 1; size <= all.length; size++) {
      const hashes = all.slice(0, size);
      const joined = Buffer.concat(hashes);
      const root = rootOf(joined);
      expect(root.equals(plainRoot(hashes))).toBe(true);
      for (const [index, leaf] of hashes.entries()) {
        const path = pathOf(joined, index);
        expect(rootFromPath({ index, size }, leaf, path)?.equals(root)).toBe(true);
        const other = (index + 1) % size;
        if (other !== index)
          expect(rootFromPath({ index: other, size }, leaf, path)?.equals(root)).not.toBe(true);
        expect(rootFromPath({ index, size }, leaf, Buffer.concat([path, leaf]))).toBeUndefined();
        expect(rootFromPath({ index: size, size }, leaf, path)).toBeUndefined();
      }
    }
  });

  it('of blocks is that of their leaves: root and paths', () => {
    const all = Array.from({ length: 21 }, (_, n) => leafHash(Buffer.of(n)));
    const block = (place: number) => Buffer.concat(all.slice(4 * place, 4 * place + 4));
    const blocks = Buffer.concat([0, 1, 2, 3, 4, 5].map((place) => rootOf(block(place))));
    expect(rootOf(blocks)).toEqual(rootOf(Buffer.concat(all)));
    expect(Buffer.concat([pathOf(block(2), 1), pathOf(blocks, 2)])).toEqual(pathOf(Buffer.concat(all), 9));
  });
});

describe('a leaf', () => {
  const secret = Buffer.alloc(32, 7);
  it('follows from the salt of its line, the digest of the line and its outcome', () => {
    const lines = ['{"a":1}', '', '{"b":2}'].map((line) => Buffer.from(line));
    const outcomes = ['created', 'blank', 'rejected INVALID_FIELD'];
    const digests = Buffer.concat(lines.map(digestOfLine));
    const all = hashesOfLeaves(secret, { first: 41, digests, outcomes });
    const each = lines.map((line, place) =>
      hashOfLeaf({
        salt: saltsOf(secret, 41 + place, 1),
        digest: digestOfLine(line),
        outcome: outcomes[place] ?? '',
      }),
    );
    expect(all).toEqual(Buffer.concat(each));
  });

  it('has a salt of its own, whichever line is the first', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, n) => n));
    expect(saltsOf(key, 1, 3).subarray(16, 32)).toEqual(saltsOf(key, 2, 1));
    expect(new Set(saltsOf(key, 1, 500).toString('hex').match(/.{32}/g)).size).toBe(500);
  });
});

describe('a checkpoint', () => {
  const key = newSigningKey();
  const origin = 'carryover/public/import/1';
  const note = signedCheckpoint({ origin, size: 3, root: rootOf(hashesOf(3)) }, key);

  it('names keys as the reference implementation of signed notes does', () => {
    // golang.org/x/mod/sumdb/note, its example.
    const verifier = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    const bytes = Buffer.from(verifier.split('+').slice(2).join('+'), 'base64').subarray(1);
    expect(verifierKeyOf('PeterNeumann', bytes)).toBe(verifier);
  });

  it('is text that ends in a signature, and is read back', () => {
    expect(note).toMatch(
      /^carryover\/public\/import\/1\n3\nrra8\/idLcKFPsGel5VeCZNsPqbUa9eC6FZFY8yngbnc=\n\n— carryover\/public\/import\/1 [\w+/=]{92}\n$/,
    );
    expect(openCheckpoint(note, key.publicKey)).toEqual({ origin, size: 3, root: rootOf(hashesOf(3)) });
  });

  it('with further signatures, of keys that are not known, is accepted', () => {
    const witness = `— a-witness.example ${Buffer.alloc(76, 1).toString('base64')}\n`;
    expect(openCheckpoint(note + witness, key.publicKey).size).toBe(3);
  });

  it.each([
    ['another number of lines', note.replace('\n3\n', '\n4\n'), key],
    ['another root', note.replace('\nrra8', '\nrra9'), key],
    ['another origin in text and signature', note.replaceAll('import/1', 'import/2'), key],
    ['another key', note, newSigningKey()],
    ['no signature', note.slice(0, note.indexOf('\u2014')), key],
    ['no note', 'text', key],
  ])('with %s is refused', (_what, changed: string, by: SigningKey) => {
    expect(() => openCheckpoint(changed, by.publicKey)).toThrow(/checkpoint/);
  });
});

describe('an envelope', () => {
  const key = newSigningKey();
  const envelope = sealedEnvelope({ a: 1 }, key);

  it('holds what was signed', () => {
    expect(openEnvelope(envelope, key.publicKey)).toEqual({ a: 1 });
  });

  it.each([
    ['another payload', { ...envelope, payload: Buffer.from('{"a":2}').toString('base64') }, /changed after/],
    ['another type', { ...envelope, payloadType: 'text/plain' }, /its payload is not/],
    [
      'another signature',
      { ...envelope, signatures: [{ ...envelope.signatures[0], sig: 'AAAA' }] },
      /changed after/,
    ],
    ['signatures of other keys', sealedEnvelope({ a: 1 }, newSigningKey()), /not signed by the key/],
    ['no signatures', { ...envelope, signatures: [] }, /not signed by the key/],
    ['nothing in it', {}, /not a receipt/],
    ['null in its place', null, /not a receipt/],
  ])('with %s is refused', (_what, changed, why) => {
    expect(() => openEnvelope(changed, key.publicKey)).toThrow(why);
  });
});

describe('the proof of one line', () => {
  const size = 10_000_000;
  const line = 1_234_567;
  const salt = Buffer.alloc(16, 3);
  const digest = digestOfLine(Buffer.from('the line'));
  const outcome = 'rejected UNSUPPORTED_HASHING_ALGORITHM';
  // The siblings are any: their root is the one to which they lead.
  const path = Buffer.alloc(24 * hashBytes, 5);
  const proof = { line, of: size, outcome, salt, path };
  const root = rootFromPath({ index: line - 1, size }, hashOfLeaf({ salt, digest, outcome }), path);

  it('has less than 1 KB for the longest path among ten million lines', () => {
    expect(encodedProof({ ...proof, path: Buffer.alloc(24 * hashBytes) }).length).toBeLessThan(1000);
    expect(decodedProof(encodedProof(proof))).toEqual(proof);
  });

  it('is right for the line and its outcome alone', () => {
    if (root === undefined) throw new Error('the path has another length');
    requireProven(proof, digest, { size, root });
    const other = digestOfLine(Buffer.from('another line'));
    expect(() => {
      requireProven(proof, other, { size, root });
    }).toThrow(/line 1234567 .* another content/);
    expect(() => {
      requireProven({ ...proof, outcome: 'created' }, digest, { size, root });
    }).toThrow(/outcome/);
    expect(() => {
      requireProven({ ...proof, line: line - 1 }, digest, { size, root });
    }).toThrow(/another/);
    expect(() => {
      requireProven(proof, digest, { size: size + 1, root });
    }).toThrow(/10000000 lines/);
  });

  it.each([
    ['cut off', encodedProof(proof).subarray(0, -1)],
    [
      'without its salt',
      Buffer.from(
        encodedProof(proof)
          .toString('latin1')
          .replace(/salt \S+/, 'salt AAAA'),
        'latin1',
      ),
    ],
    ['of another kind', Buffer.from('c2sp.org/tlog-proof@v1\n\n')],
  ])('%s is refused', (_what, bytes) => {
    expect(() => decodedProof(bytes)).toThrow(/proof/);
  });
});

describe('the tree of entries', () => {
  it.each([0, 1, 4095, 4096, 4097, 3 * 4096, 10_001])('of %i is that of all leaves at once', (count) => {
    const entries = Array.from({ length: count }, (_, n) => Buffer.from(`entry ${n}`));
    const tree = new EntryTree();
    for (const entry of entries) tree.add(entry);
    expect(tree.size).toBe(count);
    expect(tree.root).toEqual(rootOf(Buffer.concat(entries.map(leafHash))));
  });
});
