/** The front end that the HTTP suite runs on: vitest.config.ts runs it on each. */
import { loadFrontEnd } from '../../src/http/front-ends/front-end.ts';
import type { FrontEnd } from '../../src/http/front-ends/native.ts';

/** In the form of the setting `front_end`. Never AUTO: a suite that fell back would test the other one twice. */
export const testedFrontEnd = process.env.TESTED_FRONT_END === 'NODE_HTTP' ? 'NODE_HTTP' : 'UWEBSOCKETS';

export const isNodeHttp = testedFrontEnd === 'NODE_HTTP';

export async function loadTestedFrontEnd(): Promise<FrontEnd> {
  return loadFrontEnd(testedFrontEnd, { warn: () => undefined });
}
