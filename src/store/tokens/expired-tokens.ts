import { remover } from '../expired-rows.ts';

export const removeExpiredTokens = remover('tokens', ['app_no', 'purpose', 'token_hash']);
