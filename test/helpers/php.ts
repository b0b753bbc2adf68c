/** The machine's PHP, which verifies hashes; without one these tests are left out, and reported. */
import { execFileSync, spawnSync } from 'node:child_process';

/** Whether there is one. Debian: `apt-get install php-cli`. */
export const hasPhp = spawnSync('php', ['--version']).status === 0;

export interface PhpAnswer {
  /** password_get_info's algoName. */
  readonly name: string;
  /** password_verify. */
  readonly isRight: boolean;
}

const script =
  '[$hash, $password] = json_decode(stream_get_contents(STDIN)); echo json_encode(["name" => password_get_info($hash)["algoName"], "isRight" => password_verify($password, $hash)]);';

export function askPhp(hash: string, password: string): PhpAnswer {
  const answer = execFileSync('php', ['-r', script], { input: JSON.stringify([hash, password]) });
  return JSON.parse(answer.toString()) as PhpAnswer;
}

const manyScript =
  '$wrong = []; foreach (json_decode(stream_get_contents(STDIN)) as $n => [$hash, $password]) if (!password_verify($password, $hash)) $wrong[] = $n; echo json_encode($wrong);';

/** @returns the numbers of the pairs that password_verify refuses */
export function refusedByPhp(pairs: readonly (readonly [hash: string, password: string])[]): number[] {
  const answer = execFileSync('php', ['-r', manyScript], { input: JSON.stringify(pairs) });
  return JSON.parse(answer.toString()) as number[];
}

/**
 * wp_signon has a password with slashes, and wp_authenticate trims it; then wp_check_password as 6.8 has it (wp-includes/pluggable.php),
 * with crypt_private and encode64 of wp-includes/class-phpass.php.
 */
const signOn = `
function encode64($input) {
  $digits = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  $output = '';
  foreach (str_split($input, 3) as $bytes) {
    $value = 0;
    foreach (str_split($bytes) as $at => $byte) $value |= ord($byte) << 8 * $at;
    for ($at = 0; $at <= strlen($bytes); $at++) $output .= $digits[$value >> 6 * $at & 63];
  }
  return $output;
}
function crypt_private($password, $setting) {
  $rounds = 1 << strpos('./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', $setting[3]);
  $hash = md5(substr($setting, 4, 8) . $password, true);
  do $hash = md5($hash . $password, true); while (--$rounds);
  return substr($setting, 0, 12) . encode64($hash);
}
[$hash, $password] = json_decode(stream_get_contents(STDIN));
$password = trim(addslashes($password));
if (strlen($hash) <= 32) $is = hash_equals($hash, md5($password));
elseif (str_starts_with($hash, '$wp'))
  $is = password_verify(base64_encode(hash_hmac('sha384', $password, 'wp-sha384', true)), substr($hash, 3));
elseif (str_starts_with($hash, '$P$')) $is = hash_equals($hash, crypt_private($password, $hash));
else $is = password_verify($password, $hash);
echo json_encode($is);`;

/** Whether a user of WordPress signs in with the password. */
export function isRightForWordpress(hash: string, password: string): boolean {
  const answer = execFileSync('php', ['-r', signOn], { input: JSON.stringify([hash, password]) });
  return JSON.parse(answer.toString()) as boolean;
}
