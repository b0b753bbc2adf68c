/** The keyed replacement of values. */
import { describe, expect, it } from 'vitest';
import { keyedBy } from '../../src/exports/twin/keyed.ts';
import { Originals } from '../../src/exports/twin/originals.ts';
import { permuted } from '../../src/exports/twin/permute.ts';
import { surveyLines } from '../../src/exports/twin/survey-lines.ts';
import { Replacer } from '../../src/exports/twin/values.ts';

const key = Uint32Array.of(0x833d3433, 0x009f389f, 0x2398e64f, 0x417acf39);
const now = Date.UTC(2026, 0, 1);
const none = new Originals().table;

describe('the keyed function', () => {
  it('is that of the reference code (chaskey.c, mouha.be), whose vectors are of 8 rounds', () => {
    const tag = keyedBy(key, 8)(new Uint32Array(4), 0);
    expect([...tag]).toEqual([0x792e8fe5, 0x75ce87aa, 0x2d1450b5, 0x1191970b]);
  });
});

describe('a permutation', () => {
  const keyed = keyedBy(key);

  it('makes different texts of different ones', () => {
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
    const texts = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const made = new Set(texts.map((text) => permuted(text, { keyed, use: 1 })));
    expect(made.size).toBe(texts.length);
    expect([...made].every((text) => /^[a-z]{3}$/.test(text))).toBe(true);
  });

  it.each([
    ['Ada Lovelace-1815', /^[A-Z][a-z]{2} [A-Z][a-z]{7}-\d{4}$/],
    ['Müller', /^[A-Z][\p{Ll}]{5}$/u],
    ['Иванов', /^[А-Я][а-я]{5}$/u],
    ['山田太郎', /^\p{Script=Han}{4}$/u],
    ['한국', /^\p{Script=Hangul}{2}$/u],
    ['שלום', /^\p{Script=Hebrew}{4}$/u],
    ['αβγ', /^\p{Script=Greek}{3}$/u],
  ])('keeps length, case and script of %s', (text, form) => {
    const made = permuted(text, { keyed, use: 1 });
    expect(made).toMatch(form);
    expect(made).not.toBe(text);
  });
});

describe('a replacer', () => {
  it('gives the same for the same key, and something else for another', () => {
    const [one, same, other] = [key, key, Uint32Array.of(1, 2, 3, 4)].map(
      (each) => new Replacer(each, none, now),
    );
    const text = 'Ada.Lovelace@Analytical-Engines.co.uk';
    expect(one?.text(text)).toBe(same?.text(text));
    expect(one?.text(text)).not.toBe(other?.text(text));
    expect(one?.text(text)).toMatch(/^[A-Z][a-z]{2}\.[A-Z][a-z]{7}@[A-Z][a-z]{9}-[A-Z][a-z]{6}\.co\.uk$/);
    expect(one?.text(text).toLowerCase()).toBe(one?.text(text.toLowerCase()));
  });

  it('gives no value of the original, although all numbers of six digits are in it', () => {
    const ids = Array.from({ length: 20_000 }, (_, n) => String(100_000 + n));
    const originals = new Originals();
    const lines = Buffer.from(
      ids.map((externalUserId) => `${JSON.stringify({ externalUserId })}\n`).join(''),
    );
    originals.add(surveyLines({ type: 'survey', lines }).originals);
    const replacer = new Replacer(key, originals.table, now);
    const made = ids.map((id) => replacer.text(id));
    expect(new Set(made).size).toBe(ids.length);
    expect(made.filter((id) => ids.includes(id))).toEqual([]);
    expect(made.every((id) => id.length === 6)).toBe(true);
  });

  it('keeps UUIDs, phone numbers and whole numbers what they are', () => {
    const replacer = new Replacer(key, none, now);
    expect(replacer.text('5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01')).toMatch(
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    );
    expect(replacer.text('+4917612345678')).toMatch(/^\+49\d{11}$/);
    expect(String(replacer.number(-1234.5))).toMatch(/^-[1-9]\d{3}(\.\d)?$/);
  });

  it('keeps dates on their side of today and of 2000, and their order by more than a day', () => {
    const replacer = new Replacer(key, none, now);
    const moved = [Date.UTC(1999, 11, 31), Date.UTC(2020, 1, 1), Date.UTC(2020, 1, 3), now - 1, now + 5].map(
      (ms) => replacer.time(ms),
    );
    expect(moved.toSorted((a, b) => a - b)).toEqual(moved);
    expect(moved[0]).toBeLessThan(Date.UTC(2000, 0, 1));
    expect(moved[3]).toBeLessThan(now);
    expect(moved[4]).toBeGreaterThan(now);
  });
});
