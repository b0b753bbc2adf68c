/** Strings damaged at random, the same in each run. */

/** Numbers below a bound, the same in each run (xorshift32, Marsaglia 2003). */
export function randomNumbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

/** `hash` with one thing changed, inserted, cut off or joined, or characters that matter to parsers. */
export function mutated(hash: string, random: (bound: number) => number): string {
  const at = random(hash.length + 1);
  const characters = '$,=./+-_09azAZ!{}\'" \n\0é\ud800';
  const character = characters[random(characters.length)] ?? '';
  const forms = [
    () => hash.slice(0, at) + character + hash.slice(at + 1),
    () => hash.slice(0, at) + character + hash.slice(at),
    () => hash.slice(0, at),
    () => hash.slice(at),
    () => hash.slice(0, at) + hash.slice(random(hash.length + 1)),
    () => Array.from({ length: random(80) }, () => characters[random(characters.length)]).join(''),
  ];
  return forms[random(forms.length)]?.() ?? hash;
}
