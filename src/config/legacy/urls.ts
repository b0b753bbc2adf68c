const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export function isLoopback(hostname: string): boolean {
  return loopback.test(hostname);
}

/** @returns a problem with an old system's URL: passwords leave the machine only by TLS */
export function faultOfUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return 'must be a URL such as https://login.example.com';
  const { protocol, hostname, username, password, hash } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return 'must begin with https://';
  if (username !== '' || password !== '') return 'must not hold a user or password: use the fields for them';
  if (hash !== '') return 'must not have a fragment (#)';
  if (protocol === 'https:' || isLoopback(hostname)) return undefined;
  return 'would send passwords in the clear: use https:// (without TLS only a loopback address may be asked)';
}
