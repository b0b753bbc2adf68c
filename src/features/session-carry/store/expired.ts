import { remover } from '../../../store/expired-rows.ts';

export const removeExpiredCarries = remover('carried_sessions', ['app_no', 'token_digest']);
export const removeExpiredOpaque = remover('opaque_tokens', ['app_no', 'token_digest']);
