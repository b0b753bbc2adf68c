import { addressOf, makeWorkplace, runMain } from '../helpers/process.ts';

export interface SuiteCore {
  readonly address: URL;
  stop(): Promise<void>;
}

/**
 * A core as the suites expect one: without keys, without lower bounds for lifetimes, and without a throttle for wrong passwords,
 * which they send on purpose. Its data is in a separate folder, which is removed afterwards.
 * @param port of the loopback; 0 takes a free one
 */
export async function startCore(port = 0): Promise<SuiteCore> {
  const workplace = await makeWorkplace();
  const program = runMain({
    environment: {
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: workplace.dataDir,
      REQUIRE_API_KEY: 'false',
      TEST_MODE: 'true',
      GUESSES_PER_ACCOUNT: '1000000',
      GUESSES_PER_ADDRESS: '1000000',
    },
  });
  const stop = async (): Promise<void> => {
    await program.end();
    await workplace.remove();
  };
  try {
    const address = new URL(await addressOf(program));
    await program.printed(/"msg":"ready"/);
    return { address, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
