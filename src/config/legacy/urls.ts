const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @returns what is wrong with the URL of an old system: passwords leave the machine through TLS only */
export function faultOfUrl(url: string, isLdap: boolean, startsTls: boolean): string | undefined {
  const [plain, safe] = isLdap ? ['ldap:', 'ldaps:'] : ['http:', 'https:'];
  if (!URL.canParse(url)) return `must be a URL such as ${safe}//login.example.com`;
  const { protocol, hostname, username, password, hash } = new URL(url);
  if (protocol !== plain && protocol !== safe) return `must begin with ${safe}//`;
  if (username !== '' || password !== '') return 'must not hold a user or password: use the fields for them';
  if (hash !== '') return 'must not have a part behind #';
  if (protocol === safe || loopback.test(hostname) || (isLdap && startsTls)) return undefined;
  const cure = isLdap ? 'ldaps://, or starttls: true' : 'https://';
  return `would send passwords in the clear: use ${cure} (without TLS only a loopback address may be asked)`;
}
