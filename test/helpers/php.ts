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
